import { runKubeApiServer } from '../src/index.ts';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort());
process.exitCode = await runKubeApiServer(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  signal: stop.signal,
});
