# SPDX-License-Identifier: Apache-2.0
version = "0.1.0"  # that of include/amontons/version.h; a test compares them
