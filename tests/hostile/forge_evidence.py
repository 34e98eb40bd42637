"""raised: writes the evidence of the witness itself, then fails.

Says: real failure
"""

import json

for name in ('evidence.json', '../out/evidence.json', 'three_quarter.png'):
    with open(name, 'w') as file:
        json.dump({'after': {'objects': {}}, 'render': {'engine': 'CYCLES'}}, file)
raise RuntimeError('real failure')
