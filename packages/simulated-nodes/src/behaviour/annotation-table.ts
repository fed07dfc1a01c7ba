/** The annotations and labels that control the simulation. The READMEs and `--help` show this table. */

export const simulationPrefix = 'sim.coxswain.io/';

export interface SimulationAnnotation {
  /** Without the prefix; `<…>` marks a placeholder. */
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

/** Annotations of pods. */
export const simulationAnnotations: readonly SimulationAnnotation[] = [
  { name: 'run', value: 'ready', meaning: 'run until stopped' },
  { name: 'run', value: 'unready', meaning: 'run, but never become ready, even without a readiness probe' },
  { name: 'run', value: 'succeed, succeed:5s', meaning: 'exit with 0, immediately or after a delay' },
  { name: 'run', value: 'fail:3, fail:3:5s', meaning: 'exit with that code, immediately or after a delay' },
  { name: 'run', value: 'hold', meaning: 'never start' },
  { name: 'run.<container>', value: 'as above', meaning: 'for one container' },
  { name: 'pull-error', value: 'text', meaning: 'image pulls fail with this reason' },
  { name: 'pull-delay', value: '2s', meaning: 'how long a pull takes' },
  {
    name: 'stop-delay',
    value: '5s',
    meaning: 'how long a container takes to stop; it is killed after the grace period',
  },
  { name: 'listen', value: '8080,8181', meaning: 'ports to listen on, besides the declared ones' },
  { name: 'probe.<readiness|liveness|startup>', value: 'fail', meaning: 'make that probe fail' },
  { name: 'hook.<poststart|prestop>', value: 'fail', meaning: 'make that hook fail' },
  {
    name: 'log',
    value: 'text',
    meaning: 'lines to log at the start; {pod} {namespace} {container} {node} {restarts} are replaced',
  },
  {
    name: 'usage',
    value: 'cpu=250m,memory=64Mi',
    meaning:
      'resource usage of each container (default: a tenth of its requests, and 5 ms of CPU for each HTTP request that it serves)',
  },
  { name: 'usage.<container>', value: 'as above', meaning: 'for one container' },
];

/** The values of the label of Node objects. */
export const simulationLabels: readonly SimulationAnnotation[] = [
  {
    name: 'node',
    value: 'simulated',
    meaning:
      'simulate this node, with the capacity that it declares, until the object or the label is removed',
  },
  {
    name: 'node',
    value: 'stopped',
    meaning: 'the machine of this simulated node is off, until the label is removed or changed',
  },
];

/** The table as help text: one line for each value, names and values aligned. */
export function simulationHelp(): string {
  const nameWidth = Math.max(...simulationAnnotations.map(({ name }) => name.length));
  const valueWidth = Math.max(...simulationAnnotations.map(({ value }) => value.length));
  const linesOf = (table: readonly SimulationAnnotation[]): readonly string[] =>
    table.map(({ name, value, meaning }, index) => {
      const isRepeated = table[index - 1]?.name === name;
      return `  ${(isRepeated ? '' : name).padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${meaning}`;
    });
  return [
    `Annotations (${simulationPrefix}…) control pods on simulated nodes, at any time:`,
    ...linesOf(simulationAnnotations),
    `For example: kubectl annotate pod web ${simulationPrefix}probe.readiness=fail`,
    '',
    `A label (${simulationPrefix}…) of a Node object:`,
    ...linesOf(simulationLabels),
  ].join('\n');
}

/** The table as Markdown for a README. */
export function simulationTable(): string {
  const row = (subject: string) => (one: SimulationAnnotation) =>
    `| \`${simulationPrefix}${one.name.replaceAll('|', ', ')}\` | ${subject} | \`${one.value}\` | ${one.meaning} |`;
  return [
    '| annotation or label | on | value | meaning |',
    '|---|---|---|---|',
    ...simulationAnnotations.map(row('pods')),
    ...simulationLabels.map(row('Node objects (label)')),
  ].join('\n');
}
