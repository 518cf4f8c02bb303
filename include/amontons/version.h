// SPDX-License-Identifier: Apache-2.0
#ifndef AMONTONS_VERSION_H
#define AMONTONS_VERSION_H

#define AMO_VERSION_MAJOR 0
#define AMO_VERSION_MINOR 1
#define AMO_VERSION_PATCH 0
#define AMO_VERSION       "0.1.0"

#endif
