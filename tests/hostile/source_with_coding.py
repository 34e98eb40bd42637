# -*- coding: utf-7 -*-
"""passed: says that it is in another encoding than it is."""

x = "+ACI-"
