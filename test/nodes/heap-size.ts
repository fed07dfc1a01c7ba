/**
 * What the heap of a Node process holds after everything unused was collected, in bytes: `node heap-size.ts PID`, run in
 * the network of the process, which is asked through its inspector.
 */
import { setTimeout } from 'node:timers/promises';

const inspector = 'http://127.0.0.1:9229/json/list';
const lookEveryMs = 50;
const looksMax = 200;
/** Finalizers and caches held weakly let go of what they have in the next collection. */
const collections = 3;

interface Answer {
  readonly id?: number;
  readonly result?: { readonly usedSize?: number; readonly backingStorageSize?: number };
}

process.kill(Number(process.argv[2]), 'SIGUSR1');
const socket = new WebSocket(await inspectorUrl());
await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
let asked = 0;
for (let index = 0; index < collections; index++) await ask('HeapProfiler.collectGarbage');
const { usedSize = 0, backingStorageSize = 0 } = (await ask('Runtime.getHeapUsage')) ?? {};
console.log(usedSize + backingStorageSize);
socket.close();

async function inspectorUrl(): Promise<string> {
  for (let look = 0; look < looksMax; look++) {
    const targets = await fetch(inspector).then(
      (answer) => answer.json() as Promise<readonly { webSocketDebuggerUrl: string }[]>,
      () => [],
    );
    if (targets[0] !== undefined) return targets[0].webSocketDebuggerUrl;
    await setTimeout(lookEveryMs);
  }
  throw new Error('no inspector answers');
}

function ask(method: string): Promise<Answer['result']> {
  const id = ++asked;
  return new Promise((resolve) => {
    const hear = ({ data }: MessageEvent): void => {
      const answer = JSON.parse(String(data)) as Answer;
      if (answer.id !== id) return;
      socket.removeEventListener('message', hear);
      resolve(answer.result);
    };
    socket.addEventListener('message', hear);
    socket.send(JSON.stringify({ id, method }));
  });
}
