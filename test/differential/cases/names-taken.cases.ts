/** Names that are taken, brought along with a name to generate or without, while the object stays or goes. */
import { ask, type DifferentialCase } from './case.ts';

const configMaps = '/api/v1/namespaces/$ns/configmaps';
const pods = '/api/v1/namespaces/$ns/pods';
const spec = { containers: [{ name: 'c', image: 'i' }] };

export const cases: readonly DifferentialCase[] = [
  {
    name: 'stays',
    steps: ['', '?dryRun=All'].flatMap((query) =>
      [
        { name: 'a' },
        { name: 'a', generateName: '' },
        { name: 'a', generateName: 'b-' },
        { name: 'c', generateName: 'b-' },
        { name: 'A_', generateName: 'b-' },
      ].map((metadata) => ask(`POST ${configMaps}${query}`, { metadata })),
    ),
  },
  {
    name: 'goes',
    steps: [
      ask(`POST ${pods}`, { metadata: { name: 'p' }, spec: { ...spec, nodeName: 'n' } }, { quiet: true }),
      ask(`DELETE ${pods}/p`, undefined, { quiet: true }),
      ask(`POST ${pods}`, { metadata: { name: 'p' }, spec }),
      ask(`POST ${pods}`, { metadata: { name: 'p', generateName: 'x-' }, spec }),
      ask(`DELETE ${pods}/p?gracePeriodSeconds=0`, undefined, { quiet: true }),
    ],
  },
];
