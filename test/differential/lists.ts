/**
 * `npm run differ-lists -- --original URL --token T`: asks a real API server and ours every combination of what
 * says how fresh a list is and where a watch begins, and prints where they differ. See README.md.
 */
import { parseArgs } from 'node:util';
import { systemClock } from '@coxswain/apimachinery';
import { HttpTransport } from '@coxswain/client/https/http-transport.ts';
import { MemoryStorage } from '@coxswain/storage';
import { recordedServer } from '../../packages/kube-apiserver/test/oracle/replay.ts';
import { questionsOf, type ListQuestion } from './lists/questions.ts';
import { seededServer } from './lists/seeded-server.ts';

const { values } = parseArgs({
  options: {
    original: { type: 'string', default: 'https://127.0.0.1:6443' },
    token: { type: 'string', default: 'oracle-admin-token' },
    sort: { type: 'string', default: 'list,watch' },
    most: { type: 'string', default: '100000' },
    show: { type: 'string', default: '20' },
    'at-once': { type: 'string', default: '64' },
  },
});

const namespace = `differ-lists-${Date.now().toString(36)}`;
const storage = new MemoryStorage({ clock: systemClock });
const server = await recordedServer({ storage });
const compact = () => storage.compact(storage.currentRevision);
const transport = new HttpTransport({ server: values.original, insecure: true });
const original = await seededServer(transport, values.token, namespace, async () => undefined);
const inProcess = server.inProcess(undefined, { structured: false });
const ours = await seededServer(inProcess, values.token, namespace, compact);

let asked = 0;
const shown = new Map<string, string[]>();
for (const sort of values.sort.split(',') as ('list' | 'watch')[]) {
  const queue = questionsOf(sort, Number(values.most)).values();
  const work = async () => {
    for (const question of queue) await compare(question);
  };
  await Promise.all(Array.from({ length: Number(values['at-once']) }, work));
}
for (const [difference, questions] of [...shown].slice(0, Number(values.show))) {
  console.log(`${questions[0]}\n${difference}\n  … ${questions.length - 1} more like it\n`);
}
const differing = [...shown.values()].flat().length;
console.log(`${asked} asked, ${differing} differ in ${shown.size} ways`);
await Promise.all([original.remove(), ours.remove()]);
await server.stop();
await transport.close();
process.exit(differing === 0 ? 0 : 1);

async function compare(question: ListQuestion): Promise<void> {
  const [expected, got] = await Promise.all([original.ask(question), ours.ask(question)]);
  asked++;
  if (expected.join('\n') === got.join('\n')) return;
  const difference = `  original: ${expected.join('\n            ')}\n  ours:     ${got.join('\n            ')}`;
  const text = `${question.watch ? 'watch' : 'list'} ${question.query.map((pair) => pair.join('=')).join('&')}`;
  shown.set(difference, [...(shown.get(difference) ?? []), text]);
}
