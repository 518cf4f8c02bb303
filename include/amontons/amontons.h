// SPDX-License-Identifier: Apache-2.0
/// Amontons: the workbench for mechanical systems with dry friction. Includes everything public.
#ifndef AMONTONS_H
#define AMONTONS_H

#include "amontons/status.h"
#include "amontons/diag.h"
#include "amontons/model.h"
#include "amontons/quasistatic.h"
#include "amontons/sim.h"
#include "amontons/orbit.h"
#include "amontons/steady.h"
#include "amontons/brake.h"
#include "amontons/fit.h"
#include "amontons/lyapunov.h"
#include "amontons/section.h"
#include "amontons/spectrum.h"
#include "amontons/attractor.h"
#include "amontons/breakdowns.h"
#include "amontons/moments.h"
#include "amontons/sweep.h"
#include "amontons/version.h"

#endif
