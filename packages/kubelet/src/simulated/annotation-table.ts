/** What can be asked of the simulation. The READMEs and `--help` show this table. */

export const simulationPrefix = 'sim.coxswain.io/';

export interface SimulationAnnotation {
  /** Behind the prefix; `<…>` stands for what is filled in. */
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

/** Of pods. */
export const simulationAnnotations: readonly SimulationAnnotation[] = [
  { name: 'run', value: 'ready', meaning: 'runs until it is stopped' },
  { name: 'run', value: 'unready', meaning: 'runs, but its readiness probe fails (also without one)' },
  { name: 'run', value: 'succeed, succeed:5s', meaning: 'ends with 0, at once or after a while' },
  { name: 'run', value: 'fail:3, fail:3:5s', meaning: 'ends with that exit code' },
  { name: 'run', value: 'hold', meaning: 'is never started' },
  { name: 'run.<container>', value: 'as above', meaning: 'for one container' },
  { name: 'pull-error', value: 'text', meaning: 'images cannot be pulled, for this reason' },
  { name: 'pull-delay', value: '2s', meaning: 'how long a pull takes' },
  {
    name: 'stop-delay',
    value: '5s',
    meaning: 'how long a container takes to stop; beyond the grace period it is killed',
  },
  { name: 'listen', value: '8080,8181', meaning: 'ports on which it listens beside those that it declares' },
  { name: 'probe.<readiness|liveness|startup>', value: 'fail', meaning: 'that probe fails' },
  { name: 'hook.<poststart|prestop>', value: 'fail', meaning: 'that hook fails' },
  {
    name: 'log',
    value: 'text',
    meaning: 'lines written at the start; {pod} {namespace} {container} {node} {restarts} are filled in',
  },
  {
    name: 'usage',
    value: 'cpu=250m,memory=64Mi',
    meaning: 'what each container uses; a tenth of its requests without',
  },
  { name: 'usage.<container>', value: 'as above', meaning: 'for one container' },
];

/** For a help text: a line for each value, names and values aligned. */
export function simulationHelp(): string {
  const nameWidth = Math.max(...simulationAnnotations.map(({ name }) => name.length));
  const valueWidth = Math.max(...simulationAnnotations.map(({ value }) => value.length));
  const lines = simulationAnnotations.map(({ name, value, meaning }, index) => {
    const isRepeated = simulationAnnotations[index - 1]?.name === name;
    return `  ${(isRepeated ? '' : name).padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${meaning}`;
  });
  return [
    `Pods on simulated nodes are steered by annotations (${simulationPrefix}…) at any time:`,
    ...lines,
  ].join('\n');
}

/** For a README. */
export function simulationTable(): string {
  const rows = simulationAnnotations.map(
    ({ name, value, meaning }) =>
      `| \`${simulationPrefix}${name.replaceAll('|', ', ')}\` | \`${value}\` | ${meaning} |`,
  );
  return ['| annotation | value | meaning |', '|---|---|---|', ...rows].join('\n');
}
