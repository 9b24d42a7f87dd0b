# SPDX-License-Identifier: Apache-2.0

Scripts/server                                              # in a second terminal, in Livery's folder
swift run Paint http://127.0.0.1:3000                       # in the first
Scripts/demo set app.background.color '#87CEFA'              # in a third
