/** `coxswain policy test policies/*.test.yaml` */
import { readFileSync } from 'node:fs';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { choice, commandFor, minimumArgs, string } from '@coxswain/cobra';
import { replayAudit, type RecordedEvent } from '../../policy-test/replay-audit.ts';
import { reportJunit } from '../../policy-test/report-junit.ts';
import { runSuite, type CaseResult } from '../../policy-test/run-suite.ts';
import { objectsIn, readSuite } from '../../policy-test/suite.ts';
import type { ProgramIo } from '../../program/program-io.ts';

const command = commandFor<ProgramIo>();

export const test = command({
  use: 'test FILE...',
  short: 'Test policies against cases in YAML or an audit log',
  long: `Runs the test cases in files such as the following, each on its own API server in this process:

  kind: PolicyTest
  objects: [policy.yaml, binding.yaml]     # also parameters, CRDs, namespaces, roles
  cases:
  - name: more than five replicas are too many
    as: {user: alice, groups: [dev]}       # optional; default: an administrator
    create: deployment.yaml                # a file or an object; or update: {from: …, to: …}, delete: …
    expect: {denied: at most 5 replicas}   # or warnings: […], object: {…}; default: allowed

Authorization is checked only if the objects include roles. With --from-audit, the files contain policies, and every
write in the audit log (recorded at level Request) is replayed; requests that the policies would deny are printed.`,
  example: `  coxswain policy test replicas.test.yaml
  coxswain policy test policy.yaml binding.yaml --from-audit audit.log`,
  args: minimumArgs(1),
  flags: {
    fromAudit: string({ usage: 'An audit log, as written by --audit-log-path.' }),
    output: choice(['text', 'junit'])({
      shorthand: 'o',
      usage: 'Output format of the results of test cases.',
    }),
  },
  run: ({ context: io, args, flags }) =>
    flags.fromAudit === '' ? runSuites(args, flags.output, io) : replay(args, flags.fromAudit, io),
});

async function runSuites(files: readonly string[], output: 'text' | 'junit', io: ProgramIo): Promise<void> {
  const results = new Map<string, readonly CaseResult[]>();
  for (const file of files) {
    const cases = await runSuite(readSuite(file));
    results.set(file, cases);
    if (output === 'text') io.out.write(textOf(file, cases));
  }
  const all = [...results.values()].flat();
  const failed = all.filter(({ problems }) => problems.length > 0).length;
  io.out.write(
    output === 'junit' ? reportJunit(results) : `${all.length - failed} of ${all.length} cases passed\n`,
  );
  if (failed > 0) throw new Error(`${failed} ${failed === 1 ? 'case' : 'cases'} failed`);
}

const textOf = (file: string, cases: readonly CaseResult[]): string =>
  cases
    .flatMap(({ name, problems }) => [
      `${problems.length === 0 ? 'ok    ' : 'FAILED'} ${file}: ${name}\n`,
      ...problems.map((problem) => `       ${problem}\n`),
    ])
    .join('');

async function replay(files: readonly string[], log: string, io: ProgramIo): Promise<void> {
  const { requests, passedOver } = await replayAudit(files.flatMap(objectsIn), eventsIn(log));
  const denied = requests.filter((request) => request.denied !== undefined);
  for (const { user, verb, what, denied: message, warnings } of requests) {
    if (message !== undefined) io.out.write(`${user} would be denied: ${verb} ${what}: ${message}\n`);
    for (const warning of warnings) io.out.write(`${user} would be warned: ${verb} ${what}: ${warning}\n`);
  }
  io.out.write(
    `${requests.length} requests replayed, ${denied.length} would be denied, ${passedOver} cannot be replayed\n`,
  );
  if (denied.length > 0) throw new Error('the policies would deny requests that were allowed');
}

/** @throws Error naming the line that is not an event */
function* eventsIn(file: string): Generator<RecordedEvent> {
  let number = 0;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    number++;
    if (line.trim() === '') continue;
    try {
      yield JSON.parse(line) as RecordedEvent;
    } catch (failure) {
      throw new Error(`${file}, line ${number}: ${messageOf(failure)}`, { cause: failure });
    }
  }
}
