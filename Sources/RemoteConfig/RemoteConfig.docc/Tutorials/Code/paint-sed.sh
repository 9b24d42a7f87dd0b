sed -i 's/#FFB6C1/#87CEFA/' config.json
