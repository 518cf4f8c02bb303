// SPDX-License-Identifier: Apache-2.0
/// Amontons: the workbench for mechanical systems with dry friction. Includes everything public.
#ifndef AMONTONS_H
#define AMONTONS_H

#include "amontons/status.h"
#include "amontons/diag.h"
#include "amontons/model.h"
#include "amontons/ask.h"
#include "amontons/quasistatic.h"
#include "amontons/sim.h"
#include "amontons/orbit.h"
#include "amontons/steady.h"
#include "amontons/brake.h"
#include "amontons/contact.h"
#include "amontons/draw.h"
#include "amontons/emit.h"
#include "amontons/evaluate.h"
#include "amontons/fit.h"
#include "amontons/limits.h"
#include "amontons/lyapunov.h"
#include "amontons/map.h"
#include "amontons/probe.h"
#include "amontons/section.h"
#include "amontons/sensitivity.h"
#include "amontons/spectrum.h"
#include "amontons/attractor.h"
#include "amontons/breakdowns.h"
#include "amontons/moments.h"
#include "amontons/rest.h"
#include "amontons/sweep.h"
#include "amontons/version.h"

#endif
