/**
 * What a create costs while it is recorded: `node bench/recording.ts [--creates 500] [--rounds 24]`. Two servers in this
 * process, of which one is recorded, are asked in turn, without a network. Told are the medians of the rounds, in
 * microseconds of the process's time, and that of their ratios, which may be 1.5 with a network.
 */
import { parseArgs } from 'node:util';
import { seededRandom, systemClock, type StepObserver } from '@coxswain/apimachinery';
import { nodeRecorder } from '../packages/coxswain/src/trace/node-recorder.ts';
import { assembleKubeApiServer } from '@coxswain/kube-apiserver';
import { MemoryStorage } from '@coxswain/storage';

const { values: options } = parseArgs({
  options: {
    creates: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '24' },
  },
});

type Create = () => Promise<void>;

async function serverWith(observer: StepObserver | undefined): Promise<Create> {
  const server = await assembleKubeApiServer({
    storage: new MemoryStorage({ clock: systemClock }),
    clock: systemClock,
    random: seededRandom(1),
    authorizationModes: ['RBAC'],
    observer,
  });
  await server.start();
  const admin = server.inProcess({ name: 'admin', groups: ['system:masters'] });
  let made = 0;
  return async () => {
    const body = { metadata: { name: `recorded-${made++}` }, data: { text: 'x'.repeat(500) } };
    const answer = await admin.send({
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(body)),
    });
    if (answer.status !== 201) throw new Error(`answered ${answer.status}`);
    await answer.bytes();
  };
}

async function microsecondsEach(create: Create): Promise<number> {
  const count = Number(options.creates);
  const { user, system } = process.cpuUsage();
  for (let at = 0; at < count; at++) await create();
  const after = process.cpuUsage();
  return (after.user + after.system - user - system) / count;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const [plain, recorded] = [
  await serverWith(undefined),
  await serverWith(nodeRecorder({ stepsMax: 5_000_000 }).observer),
];
for (let warm = 0; warm < 3; warm++) for (const create of [plain, recorded]) await microsecondsEach(create);
const rounds = Array.from({ length: Number(options.rounds) });
const each: [number, number][] = [];
for (const _ of rounds) each.push([await microsecondsEach(plain), await microsecondsEach(recorded)]);
const [off, on] = [median(each.map(([one]) => one)), median(each.map(([, other]) => other))];
const ratio = median(each.map(([one, other]) => other / one));
console.log(`a create: ${off.toFixed(0)} µs, recorded ${on.toFixed(0)} µs, ${ratio.toFixed(2)} ×`);
process.exit();
