# SPDX-License-Identifier: Apache-2.0

sed -i.bak 's/#FFB6C1/#87CEFA/' config.json
