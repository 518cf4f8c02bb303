# SPDX-License-Identifier: Apache-2.0
# Made by python/stubs.py from the library's tables; do not edit.
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, Literal, NamedTuple, SupportsIndex, TypeVar, overload

import numpy as np
import numpy.typing as npt

Number = float | str  # a text is an expression of the model's parameters: "2*pi/w"
Whole = int | str
Settings = Mapping[str, Any] | str
Words = str | Mapping[str, Any] | Sequence[Any]
Files = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
Lines = str | Sequence[str]
Progress = bool | Callable[[float], Any] | None

__version__: str
library: str

class Diagnostic:
    severity: Literal["note", "warning", "error"]
    message: str
    hint: str
    file: str
    line: int
    column: int

class Error(Exception):
    status: str
    result: Result | None
    diagnostics: list[Diagnostic]

class InputError(Error, ValueError): ...
class NoAnswer(Error): ...
class AuditFailed(Error): ...
class LimitReached(Error): ...
class Interrupted(Error): ...
class Unsupported(Error): ...
class FileError(Error, OSError): ...
class Warning(UserWarning): ...

class Symbol(NamedTuple):
    name: str
    unit: str
    doc: str
    value: float | None

class Symbols(Mapping[str, Symbol]):
    def __getitem__(self, name: str) -> Symbol: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...

class Group(dict[str, Any]):
    def __getattr__(self, name: str) -> Any: ...

Row = TypeVar("Row")

class Names(dict[str, Row], Generic[Row]):  # values by names of the model; a Group when it runs
    def __getattr__(self, name: str) -> Row: ...

class Table(list[Row], Generic[Row]):
    @overload  # type: ignore[override]
    def __getitem__(self, key: SupportsIndex) -> Row: ...
    @overload
    def __getitem__(self, key: slice) -> Table[Row]: ...
    @overload
    def __getitem__(self, key: str) -> npt.NDArray[Any]: ...
    def columns(self) -> dict[str, list[Any]]: ...
    def to_array(self) -> npt.NDArray[Any]: ...
    def to_pandas(self) -> Any: ...

class Motion(Mapping[str, npt.NDArray[np.float64]]):
    rows: int
    units: dict[str, str]
    @property
    def t(self) -> npt.NDArray[np.float64]: ...
    def __getitem__(self, name: str) -> npt.NDArray[np.float64]: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def to_pandas(self) -> Any: ...
    def plot(self, *names: str, ax: Any = None) -> Any: ...

class Result:
    verb: str
    @property
    def motion(self) -> Motion: ...
    @property
    def json(self) -> str: ...
    def __getitem__(self, name: str) -> Any: ...
    def __getattr__(self, name: str) -> Any: ...
    def __contains__(self, name: str) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def keys(self) -> list[str]: ...
    def number(self, path: str) -> float: ...
    def text(self, path: str) -> str | None: ...
    def numbers(self, path: str) -> npt.NDArray[np.float64]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def plot(self, *names: str, ax: Any = None) -> Any: ...

class Ensemble:
    names: list[str]
    contacts: list[str]
    state: npt.NDArray[np.float64]
    mode: npt.NDArray[np.int8]
    events: npt.NDArray[np.int_]
    status: npt.NDArray[np.int32]
    time: npt.NDArray[np.float64]
    fate: npt.NDArray[np.uint8] | None
    @property
    def ok(self) -> npt.NDArray[np.bool_]: ...
    def __getitem__(self, name: str) -> npt.NDArray[np.float64]: ...
    def __len__(self) -> int: ...

class Model:
    def __init__(self, source: str | os.PathLike[str] | Mapping[str, Any], set: Mapping[str, Any] | None = None,
                 name: str = "model") -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def parameters(self) -> Symbols: ...
    @property
    def states(self) -> Symbols: ...
    @property
    def coordinates(self) -> Symbols: ...
    @property
    def contacts(self) -> Symbols: ...
    @property
    def outputs(self) -> Symbols: ...
    def settable(self, name: str) -> bool: ...
    def set(self, set: Mapping[str, Any] | None = None, **values: Number) -> Model: ...
    def ask(self, verb: str, *, progress: Progress = None, motion: bool = True, **keywords: Any) -> Result: ...
    def sweep_over(self, ask: str, of: str | Sequence[str] | None = None, *, threads: int | None = None,
                   progress: Progress = None, options: Mapping[str, Any] | None = None,
                   set: Mapping[str, Any] | None = None, **values: Any) -> Any: ...
    def ensemble(self, states: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None, *, until: float,
                 start: float | None = None, parameters: Mapping[str, npt.ArrayLike] | None = None,
                 threads: int | None = None, settle: bool = False, tol: float | None = None,
                 max_steps: int | None = None, max_events: int | None = None, progress: Progress = None) -> Ensemble: ...
    def describe(
        self,
        *,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> DescribeResult:
        """what the engine understood: equations, contacts, laws, parameters"""
    def simulate(
        self,
        *,
        until: Number | None = 10.0,
        from_: Number | None = None,
        at: Settings | None = None,
        after: Number | None = None,
        stop_events: Whole | None = None,
        settle: bool = False,
        method: Literal["event", "switch", "smooth", "euler"] | None = 'event',
        eta: Number | None = 1e-06,
        kappa: Number | None = 0.0,
        eps: Number | None = 1000000.0,
        tol: Number | None = 1e-12,
        stepper: Literal["auto", "taylor", "radau", "rk8", "rkf45", "bdf"] | None = None,
        order: Whole | None = 0,
        compile: Literal["auto", "never", "wait"] | None = 'auto',
        max_step: Number | None = None,
        max_steps: Whole | None = None,
        max_events: Whole | None = None,
        certify: bool = False,
        points: Whole | None = 1000,
        dt: Number | None = None,
        steps: bool = False,
        samples: bool = False,
        even: bool = False,
        columns: Words | None = None,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        motion: bool = True,
        **values: Number
    ) -> SimulateResult:
        """motion in time, through slip and stick, exact to the event"""
    def evaluate(
        self,
        *,
        at: Settings | None = None,
        time: Number | None = None,
        method: Literal["event", "switch", "smooth", "euler"] | None = 'event',
        eta: Number | None = 1e-06,
        kappa: Number | None = 0.0,
        eps: Number | None = 1000000.0,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> EvaluateResult:
        """modes, forces and rates at one state"""
    def contact(
        self,
        *,
        at: Settings | None = None,
        stiffness: Settings | None = None,
        time: Number | None = None,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> ContactResult:
        """all solutions of the contact problem at a state"""
    def rest(
        self,
        *,
        at: Settings | None = None,
        time: Number | None = None,
        region: Settings | None = None,
        draw: bool = False,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> RestResult:
        """does it hold, start, or may it do either?"""
    def brake(
        self,
        *,
        at: Settings | None = None,
        time: Number | None = None,
        point: Settings | None = None,
        field: Words | None = None,
        size: Words | None = '41x41',
        range: Words | None = None,
        tol: Number | None = 1e-10,
        draw: bool = False,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> BrakeResult:
        """self-braking points, and forces that cannot move a mechanism at rest"""
    def draw(
        self,
        *,
        at: Settings | None = None,
        time: Number | None = None,
        reactions: Literal["auto", "on", "off"] | None = 'auto',
        window: Words | None = None,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> DrawResult:
        """the mechanism as a schematic (SVG)"""
    def emit(
        self,
        *,
        target: Literal["c", "cuda"] | None = 'c',
        order: Whole | None = 16,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> EmitResult:
        """the model as a program of its own, in C or CUDA"""
    def limits(
        self,
        *,
        vary: Words | None = None,
        of: Words | None = 'rest.verdict',
        with_: Settings | None = None,
        at: Settings | None = None,
        points: Whole | None = 400,
        level: Number | None = None,
        extrema: bool = False,
        tol: Number | None = 1e-13,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> LimitsResult:
        """every value of a parameter at which a verdict changes"""
    def map(
        self,
        *,
        x: Words | None = None,
        y: Words | None = None,
        of: Words | None = 'contact.class',
        with_: Settings | None = None,
        at: Settings | None = None,
        nx: Whole | None = 200,
        ny: Whole | None = 200,
        size: Words | None = None,
        contours: Words | None = None,
        threads: Whole | None = 0,
        part: Words | None = None,
        draw: bool = False,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> MapResult:
        """a verdict or number over a plane of parameters or states"""
    def steady(
        self,
        *,
        at: Settings | None = None,
        time: Number | None = None,
        modes: Settings | None = None,
        all: bool = False,
        search: Settings | None = None,
        points: Whole | None = 21,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> SteadyResult:
        """steady sliding: eigenvalues, criteria, growth rate"""
    def quasistatic(
        self,
        *,
        until: Number | None = None,
        rate: bool = False,
        sectors: Words | None = None,
        at: Settings | None = None,
        time: Number | None = None,
        tol: Number | None = 1e-11,
        max_step: Number | None = None,
        no_jumps: bool = False,
        unstable: bool = False,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        motion: bool = True,
        **values: Number
    ) -> QuasistaticResult:
        """equilibria under slowly changing loads; all answers of the rate problem"""
    def cycle(
        self,
        *,
        at: Settings | None = None,
        period_guess: Number | None = None,
        period: Number | None = None,
        forcing: Number | None = None,
        periods: Whole | None = None,
        transient: Number | None = 0.0,
        accuracy: Number | None = 1e-10,
        iterations: Whole | None = 30,
        segments: Whole | None = 1,
        perturbation: Number | None = 0.0001,
        damped: bool = False,
        method: Literal["event", "switch", "smooth", "euler"] | None = 'event',
        eta: Number | None = 1e-06,
        kappa: Number | None = 0.0,
        eps: Number | None = 1000000.0,
        tol: Number | None = 1e-12,
        stepper: Literal["auto", "taylor", "radau", "rk8", "rkf45", "bdf"] | None = None,
        order: Whole | None = 0,
        compile: Literal["auto", "never", "wait"] | None = 'auto',
        max_step: Number | None = None,
        max_steps: Whole | None = None,
        max_events: Whole | None = None,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> CycleResult:
        """periodic motion, its stability and multipliers"""
    def continue_(
        self,
        *,
        vary: Words | None = None,
        of: Literal["cycle", "steady"] | None = 'cycle',
        branches: bool = False,
        points: Whole | None = 400,
        stride: Number | None = 0.01,
        max_stride: Number | None = 0.05,
        locus: Words | None = None,
        locus_points: Whole | None = 20,
        at: Settings | None = None,
        period_guess: Number | None = None,
        period: Number | None = None,
        forcing: Number | None = None,
        periods: Whole | None = None,
        transient: Number | None = 0.0,
        accuracy: Number | None = 1e-10,
        iterations: Whole | None = 30,
        segments: Whole | None = 1,
        perturbation: Number | None = 0.0001,
        damped: bool = False,
        method: Literal["event", "switch", "smooth", "euler"] | None = 'event',
        eta: Number | None = 1e-06,
        kappa: Number | None = 0.0,
        eps: Number | None = 1000000.0,
        tol: Number | None = 1e-12,
        stepper: Literal["auto", "taylor", "radau", "rk8", "rkf45", "bdf"] | None = None,
        order: Whole | None = 0,
        compile: Literal["auto", "never", "wait"] | None = 'auto',
        max_step: Number | None = None,
        max_steps: Whole | None = None,
        max_events: Whole | None = None,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> ContinueResult:
        """follow cycles or steady sliding along a parameter"""
    def sensitivity(
        self,
        *,
        until: Number | None = 10.0,
        for_: Words | None = None,
        samples: Whole | None = 0,
        differences: Number | None = None,
        perturbation: Number | None = 0.0001,
        at: Settings | None = None,
        method: Literal["event", "switch", "smooth", "euler"] | None = 'event',
        eta: Number | None = 1e-06,
        kappa: Number | None = 0.0,
        eps: Number | None = 1000000.0,
        tol: Number | None = 1e-12,
        stepper: Literal["auto", "taylor", "radau", "rk8", "rkf45", "bdf"] | None = None,
        order: Whole | None = 0,
        compile: Literal["auto", "never", "wait"] | None = 'auto',
        max_step: Number | None = None,
        max_steps: Whole | None = None,
        max_events: Whole | None = None,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> SensitivityResult:
        """how the motion changes with its start and with parameters"""
    def spectrum(
        self,
        *,
        of: Words | None = None,
        until: Number | None = 100.0,
        from_: Number | None = None,
        after: Number | None = None,
        at: Settings | None = None,
        method: Literal["event", "switch", "smooth", "euler"] | None = 'event',
        eta: Number | None = 1e-06,
        kappa: Number | None = 0.0,
        eps: Number | None = 1000000.0,
        tol: Number | None = 1e-12,
        stepper: Literal["auto", "taylor", "radau", "rk8", "rkf45", "bdf"] | None = None,
        order: Whole | None = 0,
        compile: Literal["auto", "never", "wait"] | None = 'auto',
        max_step: Number | None = None,
        max_steps: Whole | None = None,
        max_events: Whole | None = None,
        points: Whole | None = 16384,
        rate: Number | None = None,
        segment: Whole | None = None,
        overlap: Number | None = 0.5,
        window: Literal["rectangular", "hann", "hamming", "blackman", "blackman-harris", "flat-top"] | None = 'hann',
        detrend: Literal["none", "mean", "linear"] | None = 'mean',
        peaks: Whole | None = 20,
        reach: Whole | None = 3,
        band: Words | None = None,
        samples: bool = False,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> SpectrumResult:
        """power spectral density of a quantity, with its lines"""
    def poincare(
        self,
        *,
        section: Words | None = 'stick',
        contact: Words | None = None,
        direction: Literal["up", "down", "both"] | None = 'up',
        every: Number | None = None,
        of: Words | None = None,
        returns: Whole | None = 200,
        until: Number | None = 10000.0,
        from_: Number | None = None,
        after: Number | None = None,
        at: Settings | None = None,
        method: Literal["event", "switch", "smooth", "euler"] | None = 'event',
        eta: Number | None = 1e-06,
        kappa: Number | None = 0.0,
        eps: Number | None = 1000000.0,
        tol: Number | None = 1e-12,
        stepper: Literal["auto", "taylor", "radau", "rk8", "rkf45", "bdf"] | None = None,
        order: Whole | None = 0,
        compile: Literal["auto", "never", "wait"] | None = 'auto',
        max_step: Number | None = None,
        max_steps: Whole | None = None,
        max_events: Whole | None = None,
        repeat_tol: Number | None = 1e-06,
        most_turns: Whole | None = 64,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> PoincareResult:
        """passes through a section, first-return map, period"""
    def lyapunov(
        self,
        *,
        until: Number | None = 1000.0,
        from_: Number | None = None,
        after: Number | None = None,
        at: Settings | None = None,
        method: Literal["event", "switch", "smooth", "euler"] | None = 'event',
        eta: Number | None = 1e-06,
        kappa: Number | None = 0.0,
        eps: Number | None = 1000000.0,
        tol: Number | None = 1e-12,
        stepper: Literal["auto", "taylor", "radau", "rk8", "rkf45", "bdf"] | None = None,
        order: Whole | None = 0,
        compile: Literal["auto", "never", "wait"] | None = 'auto',
        max_step: Number | None = None,
        max_steps: Whole | None = None,
        max_events: Whole | None = None,
        blocks: Whole | None = 40,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> LyapunovResult:
        """Lyapunov exponents: regular motion or chaos"""
    def attractor(
        self,
        *,
        until: Number | None = 1000.0,
        from_: Number | None = None,
        at: Settings | None = None,
        method: Literal["event", "switch", "smooth", "euler"] | None = 'event',
        eta: Number | None = 1e-06,
        kappa: Number | None = 0.0,
        eps: Number | None = 1000000.0,
        tol: Number | None = 1e-12,
        stepper: Literal["auto", "taylor", "radau", "rk8", "rkf45", "bdf"] | None = None,
        order: Whole | None = 0,
        compile: Literal["auto", "never", "wait"] | None = 'auto',
        max_step: Number | None = None,
        max_steps: Whole | None = None,
        max_events: Whole | None = None,
        repeat_tol: Number | None = 1e-07,
        most_turns: Whole | None = 64,
        quick: bool = False,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> AttractorResult:
        """what a motion tends to: rest, sliding, a cycle, chaos"""
    def sweep(
        self,
        *,
        vary: Words | None = None,
        points: Whole | None = 50,
        way: Literal["both", "up", "down"] | None = 'both',
        section: Words | None = 'stick',
        contact: Words | None = None,
        direction: Literal["up", "down", "both"] | None = 'up',
        every: Number | None = None,
        of: Words | None = None,
        transient: Number | None = 200.0,
        duration: Number | None = 200.0,
        returns: Whole | None = 100,
        repeat_tol: Number | None = 1e-06,
        most_turns: Whole | None = 32,
        differ: Number | None = 0.001,
        from_: Number | None = None,
        at: Settings | None = None,
        method: Literal["event", "switch", "smooth", "euler"] | None = 'event',
        eta: Number | None = 1e-06,
        kappa: Number | None = 0.0,
        eps: Number | None = 1000000.0,
        tol: Number | None = 1e-12,
        stepper: Literal["auto", "taylor", "radau", "rk8", "rkf45", "bdf"] | None = None,
        order: Whole | None = 0,
        compile: Literal["auto", "never", "wait"] | None = 'auto',
        max_step: Number | None = None,
        max_steps: Whole | None = None,
        max_events: Whole | None = None,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> SweepResult:
        """bifurcation diagram: a parameter walked up and down"""
    def fit(
        self,
        *,
        record: Files | None = None,
        vary: Words | None = None,
        measure: Settings | None = None,
        time: Words | None = None,
        sigma: Settings | None = None,
        each: Words | None = None,
        own: Lines | None = None,
        relation: Lines | None = None,
        breakdowns: Settings | None = None,
        units: Literal["SI", "file"] | None = 'SI',
        predict: Lines | None = None,
        prior: Settings | None = None,
        loss: Literal["squares", "huber", "cauchy", "tukey"] | None = 'squares',
        level: Number | None = 0.95,
        starts: Whole | None = 1,
        bootstrap: Whole | None = 0,
        part: Words | None = None,
        resample: Literal["residuals", "cases"] | None = 'residuals',
        seed: Whole | None = 1,
        tol: Number | None = 1e-12,
        set: Settings | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
        **values: Number
    ) -> FitResult:
        """parameters from measured records, with what they are worth"""

def breakdowns(
    record: Files | None = None,
    *,
    time: Words | None = None,
    force: Words | None = None,
    stretch: Words | None = None,
    drive: Words | None = None,
    speed: Number | None = None,
    stiffness: Number | None = None,
    mass: Number | None = None,
    damping: Number | None = 0.0,
    scheme: Literal["a", "b"] | None = 'a',
    set: Settings | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Progress = None
) -> BreakdownsResult:
    """forces at break-down and set-up from a record of stick-slip"""

def fit(
    record: Files | None = None,
    *,
    vary: Words | None = None,
    measure: Settings | None = None,
    time: Words | None = None,
    sigma: Settings | None = None,
    each: Words | None = None,
    own: Lines | None = None,
    relation: Lines | None = None,
    breakdowns: Settings | None = None,
    units: Literal["SI", "file"] | None = 'SI',
    predict: Lines | None = None,
    prior: Settings | None = None,
    loss: Literal["squares", "huber", "cauchy", "tukey"] | None = 'squares',
    level: Number | None = 0.95,
    starts: Whole | None = 1,
    bootstrap: Whole | None = 0,
    part: Words | None = None,
    resample: Literal["residuals", "cases"] | None = 'residuals',
    seed: Whole | None = 1,
    tol: Number | None = 1e-12,
    set: Settings | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Progress = None,
    **values: Number
) -> FitResult:
    """parameters from measured records, with what they are worth"""

def statistics(
    record: Files | None = None,
    *,
    of: Words | None = None,
    by: Words | None = None,
    frequency: Words | None = None,
    size: Number | None = None,
    width: Number | None = 0.0,
    successes: Number | None = None,
    trials: Number | None = None,
    level: Number | None = 0.95,
    units: Literal["SI", "file"] | None = 'SI',
    set: Settings | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Progress = None
) -> StatisticsResult:
    """means, variances and intervals of samples; groups; proportions"""

class DescribeResult(Result):
    name: str
    title: str
    degrees_of_freedom: int
    t0: float  # s
    parameters: Names[DescribeResultParametersValue]
    states: Names[DescribeResultStatesValue]
    equations: Names[str]
    contacts: Names[DescribeResultContactsValue]
    constraints: Names[DescribeResultConstraintsValue]
    prescribed: Names[DescribeResultPrescribedValue]
    outputs: Names[DescribeResultOutputsValue]
    energy: DescribeResultEnergy

class DescribeResultParametersValue(Group):
    value: float | None  # of PARAMETER
    unit: str
    doc: str
    formula: str

class DescribeResultStatesValue(Group):
    kind: Literal["coordinate", "velocity", "extra"]
    initial: float | None  # of STATE
    unit: str
    doc: str
    rate: str
    reset: str
    contact: str

class DescribeResultContactsValue(Group):
    law: str
    kind: Literal["pressed", "guide", "support", "joint"]
    slip: str | list[str]
    guide: str
    support: str
    normal: str
    bound: str
    kinetic: str
    restitution: str
    doc: str

class DescribeResultConstraintsValue(Group):
    level: Literal["position", "velocity"]
    zero: str

class DescribeResultPrescribedValue(Group):
    unit: str
    doc: str
    position: str

class DescribeResultOutputsValue(Group):
    unit: str
    doc: str
    formula: str

class DescribeResultEnergy(Group):
    kinetic: str
    potential: str

class SimulateResult(Result):
    model: str
    method: Literal["event", "switch", "smooth", "euler"]
    tol: float
    start: float  # s
    ended: Literal["until", "stop-events", "interrupted", "stopped", "settled"]
    reason: str
    initial: SimulateResultInitial
    events: Table[SimulateResultEventsItem]
    final: SimulateResultFinal
    audit: SimulateResultAudit
    stats: SimulateResultStats
    extrema: Names[SimulateResultExtremaValue]
    mean: Names[float | None]  # of NAME
    rms: Names[float | None]  # of NAME
    stick_fraction: Names[float | None]
    presliding: Names[float | None]
    presliding_phases: Names[int]
    open_fraction: Names[float | None]
    long_time: Literal["stick", "open", "undecided"]
    smooth: list[str]
    episodes: Names[int]
    returns: Names[list[float]]  # s
    last_return: Names[float | None]  # s
    left_out: str
    samples: Names[list[float | None]]

class SimulateResultInitial(Group):
    t: float  # s
    modes: Names[int | Literal["open"]]

class SimulateResultEventsItem(Group):
    t: float  # s
    contact: str | None
    # ['from']: int | Literal["open"]
    to: int | Literal["open"]
    kind: Literal["stick-slip", "slip-stick", "slip-slip", "switch", "slide-begin", "slide-end", "stop", "reaction", "impact", "jam", "opening", "closing", "touch", "accumulation"]
    state: Names[float]  # of STATE
    why: str
    impulse: float  # N s
    modes: str
    slip: float | None  # m/s
    force: float | None  # N

class SimulateResultFinal(Group):
    t: float  # s
    state: Names[float | None]  # of STATE
    modes: Names[int | Literal["open"]]
    outputs: Names[float | None]  # of OUTPUT

class SimulateResultAudit(Group):
    ok: bool
    contact_violation: float | None
    energy_error: float | None
    state_error: float | None
    constraint_violation: float | None
    dissipated: float | None  # J
    supplied: float | None  # J
    energy: float | None  # J
    worst_time: float | None  # s
    impacts: int
    impact_violation: float | None
    impact_gain: float | None
    proven: bool
    proof: SimulateResultAuditProof

class SimulateResultAuditProof(Group):
    steps: int
    proven: int
    largest_error: float | None
    worst: SimulateResultAuditProofWorst | None
    event_error: float | None  # s
    unproven: Table[SimulateResultAuditProofUnprovenItem]

class SimulateResultAuditProofWorst(Group):
    state: str
    t: float  # s
    error: float  # of STATE

class SimulateResultAuditProofUnprovenItem(Group):
    t: float  # s
    h: float  # s
    why: str

class SimulateResultStats(Group):
    steps: int
    implicit: int
    rejected: int
    rhs: int
    jacobians: int
    factorisations: int
    events: int
    min_event_gap: float | None  # s
    one_of_many: bool

class SimulateResultExtremaValue(Group):
    min: float | None  # of NAME
    max: float | None  # of NAME
    t_min: float | None  # s
    t_max: float | None  # s
    reason: str

class EvaluateResult(Result):
    model: str
    method: Literal["event", "switch", "smooth", "euler"]
    t: float  # s
    state: Names[float]  # of STATE
    modes: Names[int | Literal["open"]]
    rates: Names[float | None]  # of STATE per s
    accelerations: Names[float | None]  # of STATE per s
    contacts: Names[EvaluateResultContactsValue]
    constraints: Names[float | None]
    outputs: Names[float | None]  # of OUTPUT
    kinetic: float | None  # J
    potential: float | None  # J
    energy: float | None  # J

class EvaluateResultContactsValue(Group):
    slip: float | None  # m/s
    mode: int | Literal["open"]
    force: float | None  # N
    bound: float | None  # N
    normal: float | None  # N
    needed: float | None  # N
    slope: float | None  # N s/m

class ContactResult(Result):
    model: str
    t: float  # s
    state: Names[float]  # of STATE
    # ['class']: Literal["unique", "several", "none", "degenerate"]
    border: bool
    zero_reaction: bool
    count: int
    complete: bool
    chosen: int | None
    why: str
    solutions: Table[ContactResultSolutionsItem]
    L: Names[float | None]
    mu_L: Names[float | None]
    R0: Names[float | None]  # N
    contacts: Names[ContactResultContactsValue]
    pairs: Table[ContactResultPairsItem]

class ContactResultSolutionsItem(Group):
    kind: Literal["stick", "slip", "open", "zero-reaction", "stick and slip", "stick and open", "slip and open", "stick, slip and open"]
    modes: Names[int | Literal["open"]]
    reactions: Names[float | None]  # N
    friction: Names[float | None]  # N
    traction: Names[list[float | None]]  # N
    accelerations: Names[float | None]  # of STATE per s
    multipliers: Names[float | None]
    stable: bool | None
    R: float | None  # N
    forces: Literal["determined", "indeterminate"]
    indeterminate: Names[Literal["reaction", "friction", "reaction and friction"]]
    compliance: ContactResultSolutionsItemCompliance
    type: Literal["regular", "grazing", "fold", "degenerate"]
    painleve: Names[list[float | None]]

class ContactResultSolutionsItemCompliance(Group):
    # ['class']: Literal["centre", "divergence", "flutter"]
    eigenvalues: Table[ContactResultSolutionsItemComplianceEigenvaluesItem]
    growth: float | None  # 1/s
    damping: float | None  # s

class ContactResultSolutionsItemComplianceEigenvaluesItem(Group):
    re: float
    im: float

class ContactResultContactsValue(Group):
    kind: Literal["pressed", "guide", "support", "joint"]
    L: float | None
    mu: float | None
    mu_L: float | None
    mu_critical: float | None
    R0: float | None  # N
    shortcut_error: float | None
    basin: list[float | None]  # N
    impact: ContactResultContactsValueImpact  # N s

class ContactResultContactsValueImpact(Group):
    normal: float | None  # N s
    tangent: float | None  # N s

class ContactResultPairsItem(Group):
    contacts: list[str]
    slip: list[int]
    L: list[list[float | None]]
    R0: list[float | None]  # N
    inertia: list[list[float | None]]  # kg
    determinants: Table[ContactResultPairsItemDeterminantsItem]
    least_determinant: float | None
    least_at: str
    unique_for_all_loads: bool
    degree: int | None
    critical_factor: float | None
    critical_at: str
    continua: Table[ContactResultPairsItemContinuaItem]

class ContactResultPairsItemDeterminantsItem(Group):
    signs: str
    value: float | None

class ContactResultPairsItemContinuaItem(Group):
    signs: str
    vertices: list[list[float | None]]  # N
    rays: list[list[float | None]]

class RestResult(Result):
    model: str
    contacts: Names[RestResultContactsValue]
    verdict: Literal["holds", "starts", "several", "none"]
    direction: int | None
    margin: float | None  # N
    shares: Table[Names[RestResultSharesItemValue]] | None
    source: RestResultSource
    complete: bool
    solutions: Table[RestResultSolutionsItem]
    region: RestResultRegion
    svg: str

class RestResultContactsValue(Group):
    needed: float | None  # N
    bound: float | None  # N
    reaction: float | None  # N
    margin: float | None  # N

class RestResultSharesItemValue(Group):
    reaction: list[float | None]  # N
    friction: list[float | None]  # N

class RestResultSource(Group):
    theorem: int
    verdict: Literal["rest", "motion", "rest-or-motion"]
    direction: int
    mu_L: float | None
    enumeration: Literal["agrees", "differs"]

class RestResultSolutionsItem(Group):
    kind: Literal["stick", "slip", "open", "zero-reaction", "stick and slip", "stick and open", "slip and open", "stick, slip and open"]
    modes: Names[int | Literal["open"]]
    reactions: Names[float | None]  # N
    friction: Names[float | None]  # N
    traction: Names[list[float | None]]  # N
    accelerations: Names[float | None]  # of STATE per s
    multipliers: Names[float | None]
    stable: bool | None
    R: float | None  # N
    forces: Literal["determined", "indeterminate"]
    indeterminate: Names[Literal["reaction", "friction", "reaction and friction"]]

class RestResultRegion(Group):
    x: RestResultRegionX
    y: RestResultRegionY
    how: Literal["exact"]
    lines: Table[RestResultRegionLinesItem]
    vertices: list[list[float]]  # of PARAMETER
    holds: list[list[list[float] | float]]  # of PARAMETER
    several: list[list[list[float] | float]]  # of PARAMETER
    solutions: Table[RestResultRegionSolutionsItem]
    share: float

class RestResultRegionX(Group):
    name: str
    # ['from']: float  # of PARAMETER
    to: float  # of PARAMETER

class RestResultRegionY(Group):
    name: str
    # ['from']: float  # of PARAMETER
    to: float  # of PARAMETER

class RestResultRegionLinesItem(Group):
    coefficients: list[float | None]
    at: float | None  # of PARAMETER
    contact: str
    what: str

class RestResultRegionSolutionsItem(Group):
    kind: Literal["rest", "motion"]
    modes: Names[int | Literal["open"]]
    signs: Names[int]
    polygon: list[list[float]]  # of PARAMETER
    interval: list[float]  # of PARAMETER

class BrakeResult(Result):
    model: str
    t: float  # s
    state: Names[float]  # of STATE
    contacts: Names[BrakeResultContactsValue]
    contact: str
    kind: Literal["guide", "pressed", "support", "joint"]
    per: str
    p: float | None
    mu: float | None
    bound: float | None  # N
    L: float | None
    mu_L: float | None
    paradox: bool
    lift: Names[float | None]
    points: Names[BrakeResultPointsValue]
    self_braking: list[str]
    field: BrakeResultField
    svg: str

class BrakeResultContactsValue(Group):
    kind: Literal["guide", "pressed", "support", "joint"]
    per: str
    p: float | None
    mu: float | None
    bound: float | None  # N
    L: float | None
    mu_L: float | None
    paradox: bool
    motion: Names[float | None]
    lift: Names[float | None]

class BrakeResultPointsValue(Group):
    at: list[float]  # m
    source: Literal["self-braking", "debraking", "both"]
    source_differs: bool
    # ['class']: Literal["self-braking", "ambiguous", "debraking"]
    psi: float | None  # rad
    phi: float | None  # rad
    psi_deg: float | None  # deg
    phi_deg: float | None  # deg
    psi_sure: float | None  # rad
    psi_ambiguous: float | None  # rad
    a: list[float | None]  # m
    b: list[float | None]  # m
    parallel: bool
    kappa: float | None
    gamma: float | None
    margin: float | None
    cos_psi: float | None
    n_plus: list[float | None]
    n_minus: list[float | None]
    force_limit: float | None  # N
    contacts: Names[BrakeResultPointsValueContactsValue]

class BrakeResultPointsValueContactsValue(Group):
    # ['class']: Literal["self-braking", "ambiguous", "debraking"]
    psi: float | None  # rad
    phi: float | None  # rad
    psi_deg: float | None  # deg
    phi_deg: float | None  # deg
    psi_sure: float | None  # rad
    psi_ambiguous: float | None  # rad
    a: list[float | None]  # m
    b: list[float | None]  # m
    parallel: bool
    kappa: float | None
    gamma: float | None
    margin: float | None
    cos_psi: float | None
    n_plus: list[float | None]
    n_minus: list[float | None]
    force_limit: float | None  # N

class BrakeResultField(Group):
    part: str
    origin: list[float]  # m
    angle: float  # rad
    range: list[list[float]]  # m
    size: list[int]
    parallel: Literal["line", "everywhere", "nowhere"]
    # ['class']: Literal["self-braking", "ambiguous", "debraking"]
    source: Literal["self-braking", "debraking", "both"]
    line: BrakeResultFieldLine
    poles: BrakeResultFieldPoles
    right_angle: BrakeResultFieldRightAngle | None
    counts: Names[int]
    psi_min: float | None  # rad
    psi_max: float | None  # rad
    psi: list[list[float | None]]  # rad
    classes: list[list[Literal["self-braking", "ambiguous", "debraking"]]]

class BrakeResultFieldLine(Group):
    through: BrakeResultFieldLineThrough
    along: list[float]
    intervals: Table[BrakeResultFieldLineIntervalsItem]

class BrakeResultFieldLineThrough(Group):
    at: list[float | None]  # m
    in_part: list[float | None]  # m

class BrakeResultFieldLineIntervalsItem(Group):
    # ['from']: BrakeResultFieldLineIntervalsItemFrom | None
    to: BrakeResultFieldLineIntervalsItemTo | None
    # ['class']: Literal["self-braking", "ambiguous", "debraking"]
    source: Literal["self-braking", "debraking", "both"]

class BrakeResultFieldLineIntervalsItemFrom(Group):
    at: list[float | None]  # m
    in_part: list[float | None]  # m

class BrakeResultFieldLineIntervalsItemTo(Group):
    at: list[float | None]  # m
    in_part: list[float | None]  # m

class BrakeResultFieldPoles(Group):
    a: BrakeResultFieldPolesA | None
    b: BrakeResultFieldPolesB | None
    A_plus: BrakeResultFieldPolesAPlus | None
    A_minus: BrakeResultFieldPolesAMinus | None
    B: BrakeResultFieldPolesB | None

class BrakeResultFieldPolesA(Group):
    at: list[float | None]  # m
    in_part: list[float | None]  # m

class BrakeResultFieldPolesB(Group):
    at: list[float | None]  # m
    in_part: list[float | None]  # m

class BrakeResultFieldPolesAPlus(Group):
    at: list[float | None]  # m
    in_part: list[float | None]  # m

class BrakeResultFieldPolesAMinus(Group):
    at: list[float | None]  # m
    in_part: list[float | None]  # m

class BrakeResultFieldRightAngle(Group):
    centre: BrakeResultFieldRightAngleCentre | None
    radius: float | None  # m

class BrakeResultFieldRightAngleCentre(Group):
    at: list[float | None]  # m
    in_part: list[float | None]  # m

class DrawResult(Result):
    items: int
    file: str
    svg: str
    parts: Names[list[float | None]]  # m
    shapes: Names[DrawResultShapesValue]
    reactions: Names[DrawResultReactionsValue]
    # ['class']: Literal["unique", "several", "none", "degenerate"]
    note: str

class DrawResultShapesValue(Group):
    points: list[list[float | None]]  # m
    radius: float | None  # m
    force: list[float | None]  # N
    moment: float | None  # N m

class DrawResultReactionsValue(Group):
    reaction: float | None  # N
    friction: float | None  # N
    at: list[float | None]  # m
    normal: list[float | None]
    tangent: list[float | None]

class EmitResult(Result):
    target: Literal["c", "cuda"]
    order: int
    states: list[str]
    parameters: list[str]
    contacts: list[str]
    file: str
    source: list[str]

class LimitsResult(Result):
    model: str
    vary: str
    range: list[float]  # of PARAMETER
    of: str
    by_sign: bool
    how: Literal["exact", "bracketed"]
    first: str
    count: int
    values: Table[LimitsResultValuesItem]
    unsettled: list[list[float]]  # of PARAMETER
    explored: bool
    finished: bool
    reached: float | None  # of PARAMETER
    extrema: Table[LimitsResultExtremaItem]
    evaluations: int
    audit: LimitsResultAudit

class LimitsResultValuesItem(Group):
    at: float  # of PARAMETER
    # ['from']: str
    to: str
    how: Literal["exact", "bracketed", "open", "unsettled"]
    between: list[float]  # of PARAMETER
    on: str

class LimitsResultExtremaItem(Group):
    at: float  # of PARAMETER
    value: float
    kind: Literal["least", "largest"]
    width: float | None  # of PARAMETER

class LimitsResultAudit(Group):
    ok: bool
    failed: int

class MapResult(Result):
    model: str
    of: str
    x: MapResultX
    y: MapResultY
    cells: int
    counts: Names[int]
    fractions: Names[MapResultFractionsValue]
    min: float | None
    max: float | None
    finished: bool
    rows: int
    slice: str
    part: str
    file: str | None
    h5: str
    contours: Table[MapResultContoursItem]
    contours_file: str
    svg: str
    audit: MapResultAudit

class MapResultX(Group):
    name: str
    # ['from']: float  # of PARAMETER
    to: float  # of PARAMETER
    points: int

class MapResultY(Group):
    name: str
    # ['from']: float  # of PARAMETER
    to: float  # of PARAMETER
    points: int

class MapResultFractionsValue(Group):
    value: float
    low: float
    high: float

class MapResultContoursItem(Group):
    level: float
    verdict: str
    closed: bool
    count: int
    points: list[list[float]]  # of PARAMETER

class MapResultAudit(Group):
    ok: bool
    failed: int

class SteadyResult(Result):
    model: str
    t: float  # s
    state: Names[float | None]  # of STATE
    modes: Names[int | Literal["open"]]
    contacts: Names[SteadyResultContactsValue]
    stable: bool
    verdict: Literal["stable", "unstable", "neutral"]
    growth: float | None  # 1/s
    frequency: float | None  # rad/s
    eigenvalues: Table[SteadyResultEigenvaluesItem]  # 1/s
    criteria: SteadyResultCriteria
    order: int
    neutral: int
    locked: int
    frozen: bool
    residual: float | None
    states: Table[SteadyResultStatesItem]
    count: int

class SteadyResultContactsValue(Group):
    slip: float | None  # m/s
    angle: float | None  # rad
    normal: float | None  # N
    reaction: float | None  # N
    friction: float | None  # N
    X: float | None  # N/m
    Y: float | None  # N/m
    G: float | None  # N^2/m^2
    D: float | None  # N^2/m^2

class SteadyResultEigenvaluesItem(Group):
    re: float | None  # 1/s
    im: float | None  # rad/s
    error: float | None  # 1/s

class SteadyResultCriteria(Group):
    X: float | None  # N/m
    Y: float | None  # N/m
    G: float | None  # N^2/m^2
    D: float | None  # N^2/m^2
    hurwitz: bool
    agree: bool
    oscillates: bool
    nonunique: bool
    no_continuous_slip: bool
    code: int

class SteadyResultStatesItem(Group):
    model: str
    t: float  # s
    state: Names[float | None]  # of STATE
    modes: Names[int | Literal["open"]]
    contacts: Names[SteadyResultStatesItemContactsValue]
    stable: bool
    verdict: Literal["stable", "unstable", "neutral"]
    growth: float | None  # 1/s
    frequency: float | None  # rad/s
    eigenvalues: Table[SteadyResultStatesItemEigenvaluesItem]  # 1/s
    criteria: SteadyResultStatesItemCriteria
    order: int
    neutral: int
    locked: int
    frozen: bool
    residual: float | None

class SteadyResultStatesItemContactsValue(Group):
    slip: float | None  # m/s
    angle: float | None  # rad
    normal: float | None  # N
    reaction: float | None  # N
    friction: float | None  # N
    X: float | None  # N/m
    Y: float | None  # N/m
    G: float | None  # N^2/m^2
    D: float | None  # N^2/m^2

class SteadyResultStatesItemEigenvaluesItem(Group):
    re: float | None  # 1/s
    im: float | None  # rad/s
    error: float | None  # 1/s

class SteadyResultStatesItemCriteria(Group):
    X: float | None  # N/m
    Y: float | None  # N/m
    G: float | None  # N^2/m^2
    D: float | None  # N^2/m^2
    hurwitz: bool
    agree: bool
    oscillates: bool
    nonunique: bool
    no_continuous_slip: bool
    code: int

class QuasistaticResult(Result):
    model: str
    t: float  # s
    state: Names[float | None]  # of STATE
    equilibrium: bool
    # ['class']: Literal["none", "unique", "several"]
    count: int
    answers: str
    border: bool
    order: int
    solutions: Table[QuasistaticResultSolutionsItem]
    contacts: Names[QuasistaticResultContactsValue]
    X_min: float | None  # N/m
    D_min: float | None  # N^2/m^2
    sectors: Table[QuasistaticResultSectorsItem]
    status: Literal["ok", "nonunique", "discontinuity", "none"]
    reason: str
    start: Names[int | Literal["open"]]
    events: Table[QuasistaticResultEventsItem]
    rows: int
    final: QuasistaticResultFinal
    audit: QuasistaticResultAudit

class QuasistaticResultSolutionsItem(Group):
    modes: Names[int | Literal["open"]]
    rates: Names[float | None]  # of STATE per s
    reactions: Names[float | None]  # N/s
    friction: Names[float | None | list[float | None]]  # N/s
    speeds: Names[float | None]  # m/s
    angles: Names[float | None]  # rad
    kind: Literal["stick", "slip", "slip+", "slip-", "open"]
    speed: float | None  # m/s
    R: float | None  # N/s
    angle: float | None  # rad
    margin: float | None

class QuasistaticResultContactsValue(Group):
    place: Literal["inside", "edge", "vertex", "apart"]
    reaction: float | None  # N
    friction: float | None | list[float | None]  # N
    bound: float | None  # N
    gap: float | None  # m
    X_min: float | None  # N/m
    X_min_angle: float | None  # rad
    D_min: float | None  # N^2/m^2
    angle: float | None  # rad
    X: float | None  # N/m
    drive: float | None  # N/s
    speed: float | None  # m/s
    turn: float | None  # rad/s
    direction: float | None
    equilibria: QuasistaticResultContactsValueEquilibria

class QuasistaticResultContactsValueEquilibria(Group):
    focus: list[float | None]  # m
    eccentricity: float | None
    R0: float | None  # N
    centre: list[float | None] | None  # m
    area: float | None  # m^2
    empty: bool

class QuasistaticResultSectorsItem(Group):
    # ['from']: float  # deg
    to: float  # deg
    answers: str

class QuasistaticResultEventsItem(Group):
    t: float  # s
    contact: str
    # ['from']: int | Literal["open"]
    to: int | Literal["open"]
    kind: Literal["stick-slip", "slip-stick", "slip-slip", "opening", "closing", "jump"]
    jump: bool
    answers: int
    state: Names[float | None]  # of STATE

class QuasistaticResultFinal(Group):
    t: float  # s
    state: Names[float | None]  # of STATE
    modes: Names[int | Literal["open"]]
    reactions: Names[float | None]  # N

class QuasistaticResultAudit(Group):
    ok: bool
    violation: float | None

class CycleResult(Result):
    model: str
    method: Literal["event", "switch", "smooth"]
    period: float  # s
    frequency: float  # 1/s
    multiple: int
    found_period: float  # s
    forced: bool
    forcing: float | None  # s
    periods: int | None
    drift: Names[float]  # of STATE
    multipliers: Table[CycleResultMultipliersItem]
    zeros: int
    trivial: int
    trivial_error: float | None
    stable: bool | None
    verdict: Literal["stable", "unstable", "neutral", "grazing"]
    grazing: bool
    residual: float | None
    iterations: int
    evaluations: int
    t: float  # s
    state: Names[float]  # of STATE
    matrix: list[list[float | None]]  # of STATE per STATE
    events: Table[CycleResultEventsItem]
    effort: CycleResultEffort
    final: CycleResultFinal
    iterates: Table[CycleResultIteratesItem]
    stick_fraction: Names[float | None]
    amplitude: Names[float | None]  # of NAME
    extrema: Names[CycleResultExtremaValue]
    mean: Names[float | None]  # of NAME
    rms: Names[float | None]  # of NAME
    work: CycleResultWork  # J
    audit: CycleResultAudit

class CycleResultMultipliersItem(Group):
    re: float | None
    im: float | None
    abs: float | None
    error: float | None
    of: Literal["phase", "shift"]

class CycleResultEventsItem(Group):
    t: float  # s
    contact: str | None
    # ['from']: int | Literal["open"]
    to: int | Literal["open"]
    kind: Literal["stick-slip", "slip-stick", "slip-slip", "switch", "slide-begin", "slide-end", "stop", "reaction", "impact", "jam", "opening", "closing", "touch", "accumulation"]
    state: Names[float]  # of STATE

class CycleResultEffort(Group):
    trajectories: int
    steps: int
    rejected: int
    rhs: int
    jacobians: int
    factorisations: int

class CycleResultFinal(Group):
    trajectories: int
    steps: int
    rejected: int
    rhs: int
    jacobians: int
    factorisations: int

class CycleResultIteratesItem(Group):
    state: Names[float]  # of STATE
    period: float  # s
    residual: float | None
    matrix: list[list[float | None]]  # of STATE per STATE
    full_step: CycleResultIteratesItemFullStep
    damping: float | None
    effort: CycleResultIteratesItemEffort

class CycleResultIteratesItemFullStep(Group):
    state: Names[float | None]  # of STATE
    period: float | None  # s

class CycleResultIteratesItemEffort(Group):
    trajectories: int
    steps: int
    rejected: int
    rhs: int
    jacobians: int
    factorisations: int

class CycleResultExtremaValue(Group):
    min: float | None  # of NAME
    max: float | None  # of NAME
    t_min: float | None  # s
    t_max: float | None  # s
    reason: str

class CycleResultWork(Group):
    dissipated: float | None  # J
    supplied: float | None  # J

class CycleResultAudit(Group):
    ok: bool
    contact_violation: float | None
    energy_error: float | None
    state_error: float | None
    constraint_violation: float | None
    dissipated: float | None  # J
    supplied: float | None  # J
    energy: float | None  # J
    worst_time: float | None  # s
    impacts: int
    impact_violation: float | None
    impact_gain: float | None

class ContinueResult(Result):
    model: str
    of: Literal["cycle", "steady"]
    vary: str
    points: int
    branches: int
    ended: str
    ends: list[str]
    finished: bool
    counts: Names[int]
    special: Table[ContinueResultSpecialItem]
    branch: Table[ContinueResultBranchItem]
    loci: Table[ContinueResultLociItem]
    evaluations: int
    audit: ContinueResultAudit

class ContinueResultSpecialItem(Group):
    parameter: float  # of PARAMETER
    period: float  # s
    stable: bool
    branch: int
    multipliers: Table[ContinueResultSpecialItemMultipliersItem]
    eigenvalues: Table[ContinueResultSpecialItemEigenvaluesItem]  # 1/s
    amplitude: Names[float | None]  # of STATE
    min: Names[float | None]  # of STATE
    max: Names[float | None]  # of STATE
    state: Names[float | None]  # of STATE
    t: float  # s
    sequence: str
    type: Literal["fold", "period-doubling", "neimark-sacker", "branch-point", "hopf", "stick-begins", "stick-ends", "crossing", "border"]
    at: float  # of PARAMETER
    width: float | None  # of PARAMETER
    after: str
    frequency: float | None  # rad/s
    criticality: Literal["supercritical", "subcritical", "degenerate", "unknown"]
    lyapunov: float | None
    cycles: int

class ContinueResultSpecialItemMultipliersItem(Group):
    re: float | None
    im: float | None
    abs: float | None
    error: float | None
    of: Literal["phase", "shift"]

class ContinueResultSpecialItemEigenvaluesItem(Group):
    re: float | None  # 1/s
    im: float | None  # rad/s
    abs: float | None  # 1/s

class ContinueResultBranchItem(Group):
    parameter: float  # of PARAMETER
    period: float  # s
    stable: bool
    branch: int
    multipliers: Table[ContinueResultBranchItemMultipliersItem]
    eigenvalues: Table[ContinueResultBranchItemEigenvaluesItem]  # 1/s
    amplitude: Names[float | None]  # of STATE
    min: Names[float | None]  # of STATE
    max: Names[float | None]  # of STATE
    state: Names[float | None]  # of STATE
    t: float  # s
    sequence: str

class ContinueResultBranchItemMultipliersItem(Group):
    re: float | None
    im: float | None
    abs: float | None
    error: float | None
    of: Literal["phase", "shift"]

class ContinueResultBranchItemEigenvaluesItem(Group):
    re: float | None  # 1/s
    im: float | None  # rad/s
    abs: float | None  # 1/s

class ContinueResultLociItem(Group):
    type: Literal["fold", "period-doubling", "neimark-sacker", "branch-point", "hopf", "stick-begins", "stick-ends", "crossing", "border"]
    ended: str
    points: Table[ContinueResultLociItemPointsItem]

class ContinueResultLociItemPointsItem(Group):
    parameter: float  # of PARAMETER
    second: float  # of PARAMETER

class ContinueResultAudit(Group):
    ok: bool
    contact_violation: float | None
    energy_error: float | None
    state_error: float | None
    constraint_violation: float | None
    dissipated: float | None  # J
    supplied: float | None  # J
    energy: float | None  # J
    worst_time: float | None  # s
    impacts: int
    impact_violation: float | None
    impact_gain: float | None

class SensitivityResult(Result):
    model: str
    method: Literal["event", "switch", "smooth"]
    t: float  # s
    state: Names[float]  # of STATE
    matrix: list[list[float | None]]  # of STATE per STATE
    parameters: Names[Names[float | None]]
    eigenvalues: Table[SensitivityResultEigenvaluesItem]
    rank: int
    grazing: bool
    one_sided: bool
    together: bool
    events: Table[SensitivityResultEventsItem]
    samples: Table[SensitivityResultSamplesItem]
    differences: list[list[float | None]]  # of STATE per STATE

class SensitivityResultEigenvaluesItem(Group):
    re: float
    im: float
    abs: float

class SensitivityResultEventsItem(Group):
    t: float  # s
    contact: str | None
    # ['from']: int | Literal["open"]
    to: int | Literal["open"]
    kind: Literal["stick-slip", "slip-stick", "slip-slip", "switch", "slide-begin", "slide-end", "stop", "reaction", "impact", "jam", "opening", "closing", "touch", "accumulation"]
    state: Names[float]  # of STATE
    before: SensitivityResultEventsItemBefore
    parameters: Names[Names[float | None]]
    matrix: list[list[float | None]]  # of STATE per STATE

class SensitivityResultEventsItemBefore(Group):
    matrix: list[list[float | None]]  # of STATE per STATE
    parameters: Names[Names[float | None]]

class SensitivityResultSamplesItem(Group):
    t: float  # s
    state: Names[float]  # of STATE
    matrix: list[list[float | None]]  # of STATE per STATE
    parameters: Names[Names[float | None]]

class SpectrumResult(Result):
    model: str
    of: str
    unit: str
    # ['from']: float  # s
    until: float  # s
    rate: float  # 1/s
    count: int
    window: Literal["rectangular", "hann", "hamming", "blackman", "blackman-harris", "flat-top"]
    detrend: Literal["none", "mean", "linear"]
    segment: int
    segments: int
    overlap: float
    resolution: float  # 1/s
    bandwidth: float  # 1/s
    nyquist: float  # 1/s
    mean: float  # of COLUMN
    variance: float  # of COLUMN, squared
    power: float  # of COLUMN, squared
    parseval_error: float | None
    peaks: Table[SpectrumResultPeaksItem]
    strongest: float | None  # 1/s
    share: float | None
    flatness: float | None
    band: list[float]  # 1/s
    frequency: list[float]  # 1/s
    psd: list[float]  # of COLUMN, squared, times s
    audit: SpectrumResultAudit

class SpectrumResultPeaksItem(Group):
    frequency: float  # 1/s
    power: float  # of COLUMN, squared
    amplitude: float  # of COLUMN
    psd: float  # of COLUMN, squared, times s
    bin_frequency: float  # 1/s

class SpectrumResultAudit(Group):
    ok: bool
    contact_violation: float | None
    energy_error: float | None
    state_error: float | None
    constraint_violation: float | None
    dissipated: float | None  # J
    supplied: float | None  # J
    energy: float | None  # J
    worst_time: float | None  # s
    impacts: int
    impact_violation: float | None
    impact_gain: float | None

class PoincareResult(Result):
    model: str
    section: str
    of: str
    count: int
    finished: bool
    turns: int | None
    period: float | None  # s
    min: float | None  # of NAME
    max: float | None  # of NAME
    points: Table[PoincareResultPointsItem]
    return_map: Table[PoincareResultReturnMapItem]
    audit: PoincareResultAudit

class PoincareResultPointsItem(Group):
    t: float  # s
    value: float | None  # of NAME
    state: Names[float]  # of STATE

class PoincareResultReturnMapItem(Group):
    value: float | None  # of NAME
    next: float | None  # of NAME
    time: float  # s

class PoincareResultAudit(Group):
    ok: bool
    contact_violation: float | None
    energy_error: float | None
    state_error: float | None
    constraint_violation: float | None
    dissipated: float | None  # J
    supplied: float | None  # J
    energy: float | None  # J
    worst_time: float | None  # s
    impacts: int
    impact_violation: float | None
    impact_gain: float | None

class LyapunovResult(Result):
    model: str
    verdict: Literal["regular", "unbounded", "chaos", "undecided"]
    exponents: Table[LyapunovResultExponentsItem]
    largest: LyapunovResultLargest
    nearest_zero: LyapunovResultNearestZero
    finite: int
    lost: int
    sum: float | None  # 1/s
    sum_error: float | None  # 1/s
    divergence: float | None  # 1/s
    kaplan_yorke: float | None
    time: float  # s
    growth: float
    blocks: int
    events: int
    finished: bool
    autonomous: bool
    grazing: bool
    audit: LyapunovResultAudit

class LyapunovResultExponentsItem(Group):
    value: float | None  # 1/s
    error: float | None  # 1/s

class LyapunovResultLargest(Group):
    value: float | None  # 1/s
    error: float | None  # 1/s

class LyapunovResultNearestZero(Group):
    value: float | None  # 1/s
    error: float | None  # 1/s

class LyapunovResultAudit(Group):
    ok: bool
    contact_violation: float | None
    energy_error: float | None
    state_error: float | None
    constraint_violation: float | None
    dissipated: float | None  # J
    supplied: float | None  # J
    energy: float | None  # J
    worst_time: float | None  # s
    impacts: int
    impact_violation: float | None
    impact_gain: float | None

class AttractorResult(Result):
    model: str
    kind: Literal["rest", "steady", "sliding", "cycle", "chaos", "undecided"]
    label: str
    why: str
    period: float | None  # s
    turns: int | None
    sticks: int | None
    events: int | None
    drift: Names[float]  # of STATE
    settled: float | None  # s
    range: AttractorResultRange
    exponent: AttractorResultExponent
    audit: AttractorResultAudit

class AttractorResultRange(Group):
    of: str
    min: float | None  # of STATE
    max: float | None  # of STATE

class AttractorResultExponent(Group):
    value: float | None  # 1/s
    error: float | None  # 1/s

class AttractorResultAudit(Group):
    ok: bool
    contact_violation: float | None
    energy_error: float | None
    state_error: float | None
    constraint_violation: float | None
    dissipated: float | None  # J
    supplied: float | None  # J
    energy: float | None  # J
    worst_time: float | None  # s
    impacts: int
    impact_violation: float | None
    impact_gain: float | None

class SweepResult(Result):
    model: str
    vary: str
    section: str
    of: str
    finished: bool
    up: Table[SweepResultUpItem]
    down: Table[SweepResultDownItem]
    hysteresis: SweepResultHysteresis
    diagram: SweepResultDiagram
    audit: SweepResultAudit

class SweepResultUpItem(Group):
    at: float  # of PARAMETER
    kind: Literal["still", "cycle", "irregular", "no pass"]
    turns: int | None
    period: float | None  # s
    passes: int
    points: list[float | None]  # of NAME
    min: float | None  # of NAME
    max: float | None  # of NAME
    audit_ok: bool

class SweepResultDownItem(Group):
    at: float  # of PARAMETER
    kind: Literal["still", "cycle", "irregular", "no pass"]
    turns: int | None
    period: float | None  # s
    passes: int
    points: list[float | None]  # of NAME
    min: float | None  # of NAME
    max: float | None  # of NAME
    audit_ok: bool

class SweepResultHysteresis(Group):
    found: bool
    # ['from']: float | None  # of PARAMETER
    to: float | None  # of PARAMETER
    width: float | None  # of PARAMETER
    resolution: float | None  # of PARAMETER
    ranges: Table[SweepResultHysteresisRangesItem]  # of PARAMETER

class SweepResultHysteresisRangesItem(Group):
    # ['from']: float  # of PARAMETER
    to: float  # of PARAMETER

class SweepResultDiagram(Group):
    up: SweepResultDiagramUp
    down: SweepResultDiagramDown

class SweepResultDiagramUp(Group):
    x: list[float]  # of PARAMETER
    y: list[float | None]  # of NAME

class SweepResultDiagramDown(Group):
    x: list[float]  # of PARAMETER
    y: list[float | None]  # of NAME

class SweepResultAudit(Group):
    ok: bool
    contact_violation: float | None
    energy_error: float | None
    state_error: float | None
    constraint_violation: float | None
    dissipated: float | None  # J
    supplied: float | None  # J
    energy: float | None  # J
    worst_time: float | None  # s
    impacts: int
    impact_violation: float | None
    impact_gain: float | None

class BreakdownsResult(Result):
    record: str
    rows: int
    missing: int
    # ['from']: float  # s
    to: float  # s
    interval: float  # s
    noise: float | None  # N
    least_fall: float | None  # N
    omega: float | None  # rad/s
    omega_se: float | None  # rad/s
    mass: float | None  # kg
    kappa: float | None  # 1/s
    kappa_se: float | None  # 1/s
    misfit: float | None
    corner: float | None
    gradual: bool
    bias_plus: float | None  # N
    bias_minus: float | None  # N
    found: int
    slips: int
    rejected: BreakdownsResultRejected
    cycles: Table[BreakdownsResultCyclesItem]

class BreakdownsResultRejected(Group):
    no_stop: int
    no_stick: int
    cut: int
    shape: int

class BreakdownsResultCyclesItem(Group):
    t: float  # s
    t_set_up: float | None  # s
    F_plus: float | None  # N
    F_minus: float | None  # N
    sliding: float | None  # N
    F_plus_se: float | None  # N
    F_minus_se: float | None  # N
    f: float | None  # N/s
    f_se: float | None  # N/s
    rate_of_drive: bool
    T: float | None  # s
    v: float | None  # m/s
    v_set_up: float | None  # m/s
    amplitude: float | None  # m
    naive_plus: float | None  # N
    naive_minus: float | None  # N
    samples: int
    line: int
    coarse: bool

class FitResult(Result):
    model: str
    parameters: Names[FitResultParametersValue]
    bootstrap: FitResultBootstrap
    residual: float | None
    n: int
    freedom: float | None
    warnings: list[str]
    level: float
    loss: Literal["squares", "huber", "cauchy", "tukey"]
    set: str
    predictions: Names[FitResultPredictionsValue]
    sum: float | None
    aicc: float | None
    F: float | None
    F_p: float | None
    rank: int
    condition: float | None
    names: list[str]
    covariance: list[list[float | None]]
    correlation: list[list[float | None]]
    records: Table[FitResultRecordsItem]
    iterations: int
    evaluations: int
    relation: str
    identifiable: bool
    comparison: Table[FitResultComparisonItem]
    preferred: str
    separable: bool
    tied: Table[FitResultTiedItem]

class FitResultParametersValue(Group):
    value: float | None  # of PARAMETER
    se: float | None  # of PARAMETER
    low: float | None  # of PARAMETER
    high: float | None  # of PARAMETER
    start: float | None  # of PARAMETER
    unit: str
    at_bound: Literal["low", "high"]
    bootstrap: FitResultParametersValueBootstrap  # of PARAMETER

class FitResultParametersValueBootstrap(Group):
    se: float | None  # of PARAMETER
    low: float | None  # of PARAMETER
    high: float | None  # of PARAMETER

class FitResultBootstrap(Group):
    finished: int
    count: int
    part: str

class FitResultPredictionsValue(Group):
    value: float | None  # of PARAMETER
    se: float | None  # of PARAMETER
    low: float | None  # of PARAMETER
    high: float | None  # of PARAMETER

class FitResultRecordsItem(Group):
    record: str
    name: str
    n: int
    gaps: int
    runs: float | None
    residual: float | None

class FitResultComparisonItem(Group):
    relation: str
    name: str
    identifiable: bool
    parameters: Names[FitResultComparisonItemParametersValue]
    sum: float | None
    residual: float | None
    aicc: float | None
    difference: float | None
    F_p: float | None

class FitResultComparisonItemParametersValue(Group):
    value: float | None  # of PARAMETER
    se: float | None  # of PARAMETER
    low: float | None  # of PARAMETER
    high: float | None  # of PARAMETER

class FitResultTiedItem(Group):
    columns: list[str]
    vif: float | None
    programme: str

class StatisticsResult(Result):
    record: str
    of: str
    unit: str
    missing: int
    level: float
    n: int
    sum: float | None  # of COLUMN
    mean: float | None  # of COLUMN
    population: float | None  # of COLUMN, squared
    variance: float | None  # of COLUMN, squared
    sd: float | None  # of COLUMN
    sheppard: float | None  # of COLUMN, squared
    variance_of_mean: float | None  # of COLUMN, squared
    se: float | None  # of COLUMN
    interval: list[float | None]  # of COLUMN
    normal_interval: list[float | None]  # of COLUMN
    min: float | None  # of COLUMN
    max: float | None  # of COLUMN
    groups: Table[StatisticsResultGroupsItem]
    pure_error: float | None  # of COLUMN, squared
    between: float | None  # of COLUMN, squared
    F: float | None
    F_p: float | None
    trend: float | None
    trend_p: float | None
    means: Literal["fall", "rise", "neither"]
    proportion: StatisticsResultProportion

class StatisticsResultGroupsItem(Group):
    n: int
    sum: float | None  # of COLUMN
    mean: float | None  # of COLUMN
    population: float | None  # of COLUMN, squared
    variance: float | None  # of COLUMN, squared
    sd: float | None  # of COLUMN
    sheppard: float | None  # of COLUMN, squared
    variance_of_mean: float | None  # of COLUMN, squared
    se: float | None  # of COLUMN
    interval: list[float | None]  # of COLUMN
    normal_interval: list[float | None]  # of COLUMN
    min: float | None  # of COLUMN
    max: float | None  # of COLUMN
    at: float | str

class StatisticsResultProportion(Group):
    p: float
    wilson: list[float]
    clopper_pearson: list[float]
