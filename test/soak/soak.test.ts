/**
 * `node node_modules/vitest/vitest.mjs run test/soak` takes seconds; `SOAK_SECONDS=60` makes it a soak: so long
 * before the certificates are replaced, and so long after.
 */
import { expect, test } from 'vitest';
import { runClients } from './clients.ts';
import { Outcomes } from './outcomes.ts';
import { asProgram, inThisProcess, rotatedServer } from './rotated-server.ts';

const soakMs = Number(process.env.SOAK_SECONDS ?? '1') * 1000;
const settleMs = 1_500;

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const watchTerminationMs = 500;
const shutdownDelayMs = 200;

test.each([
  {
    what: 'certificates and the users’ authority are replaced, and the server stops, telling to come again',
    rotates: true,
    start: inThisProcess,
    leaving: { sendsRetryAfter: true, watchTerminationMs, shutdownDelayMs },
  },
  {
    what: 'the server stops and closes its port at once',
    rotates: false,
    start: inThisProcess,
    leaving: { sendsRetryAfter: false, watchTerminationMs, shutdownDelayMs },
  },
  {
    what: 'certificates and the users’ authority of the program are replaced, and it is sent SIGTERM',
    rotates: true,
    start: asProgram,
    leaving: { sendsRetryAfter: true, watchTerminationMs, shutdownDelayMs },
  },
])(
  '$what: no request fails that was not told to come again',
  async ({ rotates, start, leaving }) => {
    const rotated = await rotatedServer(start, leaving);
    const outcomes = new Outcomes();
    const ending = new AbortController();
    const { port, identity } = rotated;
    const clients = runClients({ port, identity, outcomes, signal: ending.signal });
    await after(soakMs);
    if (rotates) await rotated.rotate(() => after(settleMs));
    const answeredBefore = outcomes.answered;
    await after(soakMs);
    outcomes.isLeaving = true;
    await rotated.stop();
    // All of them may be between two requests when the last connection goes.
    await outcomes.untilReportedToRetry();
    ending.abort();
    await clients;
    rotated.remove();
    if (process.env.SOAK_SECONDS !== undefined) console.log(outcomes);

    expect(outcomes.failed).toEqual([]);
    expect(answeredBefore).toBeGreaterThan(20);
    expect(outcomes.answered).toBeGreaterThan(answeredBefore);
  },
  soakMs * 2 + 90_000,
);
