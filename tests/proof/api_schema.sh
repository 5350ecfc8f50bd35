#!/bin/bash
# What the API tests have asked and heard, against docs/openapi.yaml: see tests/api/validate.sh.
exec "$(dirname "$0")/../api/validate.sh"
