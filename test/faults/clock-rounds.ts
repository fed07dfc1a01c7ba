/**
 * API servers, and the etcds they are on, whose time of day jumps under load. What has been told of a time (a token, the
 * time an object was made) follows the clock; what lasts a while (an event, a watch, a wait) doesn't.
 */
import { ApiServer, until, type Etcd } from '../one-etcd/servers.ts';
import type { JumpingClock } from './jumping-clock.ts';
import { Load, configMaps } from './load.ts';
import { askAll, questions, type Answers, type Questions } from './questions.ts';

const hour = 3_600;
const day = 24 * hour;
/** One after the other, each from where the last one left the clock. */
export const clockJumps = {
  'an hour on': hour,
  'two hours back': -2 * hour,
  'a day on': day,
  'two days back': -2 * day,
};
export type ClockJump = keyof typeof clockJumps;

export interface ClockRound {
  readonly jump: ClockJump;
  readonly acknowledged: number;
  readonly refused: number;
  readonly answers: Answers;
  /** How long an event was there that was made before the jump. */
  readonly eventSeconds: number;
}

export interface ClockRoundsSettings {
  readonly clock: JumpingClock;
  /** On a directory of its own where it is absent. Has the same clock. */
  readonly etcd?: Etcd | undefined;
  /** The original's kube-apiserver, if that is to be looked at; it has to know the clock. */
  readonly binary?: string | undefined;
  readonly jumps: readonly ClockJump[];
}

const eventTtlSeconds = 6;
/** One lease is for several events, and is looked at every now and then: the original's events live up to as long. */
const eventSecondsMax = eventTtlSeconds * 2 + 4;
const tokenSeconds = 600;
const tokenQuestion = 'a token from before';

/** @throws Error when something acknowledged is lost, a watch misses an event, or an event lives too short or too long */
export async function clockRounds(settings: ClockRoundsSettings): Promise<readonly ClockRound[]> {
  const { clock, etcd, binary, jumps } = settings;
  const server = await ApiServer.start({
    etcd: etcd === undefined ? [] : [etcd.url],
    binary,
    address: '192.0.2.12',
    place: { enter: [], address: '127.0.0.1', env: clock.env },
    flags: [`--event-ttl=${eventTtlSeconds}s`],
  });
  const load = await Load.watched(server);
  const rounds: ClockRound[] = [];
  let seconds = 0;
  try {
    for (const jump of jumps) {
      load.forget();
      await until('some writes', async () => load.has(20));
      const asked = await questionsAbout(server);
      const event = await reportEvent(server);
      const before = load.counts();
      seconds += clockJumps[jump];
      clock.set(seconds);
      const answers = await askAll([server], asked);
      const eventSeconds = await event.livesFor();
      const after = load.counts();
      rounds.push({
        jump,
        acknowledged: after.acknowledged - before.acknowledged,
        refused: after.refused - before.refused,
        answers,
        eventSeconds: Math.round(eventSeconds * 10) / 10,
      });
      for (const [question, [answer]] of Object.entries(answers))
        if (question !== tokenQuestion && !answer!.startsWith('20'))
          throw new Error(`${jump}: ${question}: ${answer}`);
      if (eventSeconds < eventTtlSeconds || eventSeconds > eventSecondsMax)
        throw new Error(`${jump}: an event lived for ${eventSeconds} s`);
    }
    await load.stop();
    const lost = [...load.ledger.problems(), ...(await missing(server, load))];
    if (lost.length > 0) throw new Error(lost.join('\n'));
    return rounds;
  } finally {
    await load.stop();
    await server.stop();
    clock.set(0);
  }
}

/** Some are about what was given out before the jump. */
async function questionsAbout(server: ApiServer): Promise<Questions> {
  const list = (await server.send('GET', `${configMaps}?limit=2`)).json;
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: tokenSeconds },
  };
  const tokenPath = '/api/v1/namespaces/default/serviceaccounts/default/token';
  await server.send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const { status } = (await server.send('POST', tokenPath, request)).json;
  const review = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token: status.token },
  };
  return {
    ...questions,
    readyz: (at) => at.send('GET', '/readyz'),
    'a page of a list from before': (at) =>
      at.send('GET', `${configMaps}?limit=2&continue=${list.metadata.continue}`),
    'a list that is not older': (at) =>
      at.send(
        'GET',
        `${configMaps}?resourceVersion=${list.metadata.resourceVersion}&resourceVersionMatch=NotOlderThan`,
      ),
    [tokenQuestion]: async (at) => {
      const answer = await at.send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', review);
      const { authenticated = false, error = '' } = answer.json.status;
      return { ...answer, status: authenticated ? 200 : 401, json: { message: error } };
    },
  };
}

async function reportEvent(server: ApiServer): Promise<{ livesFor(): Promise<number> }> {
  const events = '/api/v1/namespaces/default/events';
  const startMs = performance.now();
  const { json } = await server.send('POST', events, {
    metadata: { generateName: 'jumped-' },
    involvedObject: { kind: 'Namespace', name: 'default', namespace: 'default' },
    reason: 'Jumped',
    type: 'Normal',
  });
  const livesFor = async (): Promise<number> => {
    await until(
      'an event ends',
      async () => (await server.send('GET', `${events}/${json.metadata.name}`)).status === 404,
    );
    return (performance.now() - startMs) / 1000;
  };
  return { livesFor };
}

async function missing(server: ApiServer, load: Load): Promise<readonly string[]> {
  const items: readonly { metadata: { name: string }; data?: { turn: string } }[] = (
    await server.send('GET', configMaps)
  ).json.items;
  const turns = new Map(items.map(({ metadata, data }) => [metadata.name, Number(data?.turn)]));
  return [...load.newest].flatMap(([name, { turn }]) =>
    (turns.get(name) ?? -1) >= turn ? [] : [`${name} of turn ${turn} is lost: ${turns.get(name)} is there`],
  );
}
