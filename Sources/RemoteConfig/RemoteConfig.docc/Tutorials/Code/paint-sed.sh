sed -i.bak 's/#FFB6C1/#87CEFA/' config.json
