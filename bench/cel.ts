/**
 * Evaluations of CEL rules a second, on one core: `node bench/cel.ts`. Also what compiling costs.
 * Each figure is the best of some rounds, since the machine may be shared.
 */

import { baseEnvironment, declaredTypeOfSchema, sizeHintsOf, valueOf } from '@coxswain/cel';

const schema = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    maxReplicas: { type: 'integer' },
    name: { type: 'string', maxLength: 63 },
    hosts: { type: 'array', maxItems: 20, items: { type: 'string', maxLength: 63 } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const object = {
  replicas: 3,
  maxReplicas: 5,
  name: 'alpha',
  hosts: ['a.example.com', 'b.example.com', 'c.example.com'],
  labels: { app: 'web', tier: 'front' },
};

const rules = [
  "self.replicas <= self.maxReplicas && self.name.startsWith('a')",
  "self.replicas <= self.maxReplicas ? true : self.name == 'b'",
  "self.hosts.all(host, host.endsWith('.example.com'))",
  "self.name.matches('^[a-z]+$')",
  "has(self.labels.app) && self.labels.app in ['web', 'api']",
  'self.hosts.map(host, host.size()).sum() < 100',
];

const rounds = 5;
const roundMs = 200;

const type = declaredTypeOfSchema(schema, { name: 'self', isResourceRoot: false })!;
const environment = baseEnvironment.extend({ variables: { self: type } });

function perSecond(run: () => void): number {
  let best = 0;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    let count = 0;
    do {
      for (let index = 0; index < 100; index++) run();
      count += 100;
    } while (performance.now() - start < roundMs);
    best = Math.max(best, (count / (performance.now() - start)) * 1000);
  }
  return Math.round(best);
}

for (const rule of rules) {
  const { ast, issuesText } = environment.compile(rule);
  if (!ast) throw new Error(issuesText);
  const program = environment.program(ast);
  const { value } = program.evaluate({ self: valueOf(object, type) });
  if (value !== true) throw new Error(`${rule} is ${String(value)}`);
  const evaluations = perSecond(() => program.evaluate({ self: valueOf(object, type) }));
  const compilations = perSecond(() => {
    const compiled = environment.compile(rule).ast!;
    environment.estimateCost(compiled, sizeHintsOf(type));
    environment.program(compiled);
  });
  console.log(
    `${String(evaluations).padStart(10)} eval/s ${String(compilations).padStart(8)} compile/s  ${rule}`,
  );
}
