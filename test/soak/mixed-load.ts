/**
 * What goes on in a cluster, at a steady rate and with a steady number of objects: config maps come, change and go, leases
 * are renewed, events are told and expire, definitions come with their objects and go, clients list and watch.
 */
import type { SoakAnswer, SoakServer } from './soak-server.ts';
import type { Ledger } from './watch-ledger.ts';

export interface LoadSettings {
  readonly server: SoakServer;
  readonly ledger: Ledger;
  readonly ratePerSecond: number;
  readonly signal: AbortSignal;
}

const namespace = 'default';
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
const events = `/api/v1/namespaces/${namespace}/events`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Config maps that are there at a time. */
const liveMax = 400;
const leaseCount = 60;
const watchCount = 4;
const mergePatch = 'application/merge-patch+json';

/** Runs until the signal aborts; resolves with how often what was done. */
export async function allLoads(settings: LoadSettings): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  const { signal, ratePerSecond } = settings;
  const watches = new AbortController();
  const { metadata } = (await settings.server.send('GET', `${configMaps}?limit=1`)).body;
  const following = Array.from({ length: watchCount }, (_, index) =>
    followConfigMaps(settings, index, metadata.resourceVersion, watches.signal),
  );
  const shares: Readonly<Record<string, readonly [share: number, turn: Turn]>> = {
    configMap: [0.5, configMapTurn(settings)],
    lease: [0.25, leaseTurn(settings)],
    event: [0.1, eventTurn(settings)],
    read: [0.14, readTurn(settings)],
    definition: [0.01, definitionTurn(settings)],
  };
  await Promise.all(
    Object.entries(shares).map(async ([name, [share, turn]]) => {
      const everyMs = 1_000 / (ratePerSecond * share);
      for (let index = 0; !signal.aborted; index++) {
        const startMs = performance.now();
        await turn(index).catch((failure: Error) => settings.ledger.note(`${name}: ${failure.message}`));
        counts[name] = index + 1;
        await pause(Math.max(0, everyMs - (performance.now() - startMs)));
      }
    }),
  );
  await settings.ledger.settled();
  watches.abort();
  await Promise.all(following);
  return counts;
}

type Turn = (index: number) => Promise<void>;

/** One write each time: the oldest goes when there are many; else every third is new, and others change. */
function configMapTurn({ server, ledger }: LoadSettings): Turn {
  const live: string[] = [];
  const value = 'x'.repeat(1_000);
  return async (index) => {
    if (live.length >= liveMax) {
      const name = live.shift()!;
      // The deletion's own version is not told to whoever deletes.
      await expecting(200, server.send('DELETE', `${configMaps}/${name}`));
    } else if (index % 3 === 0 || live.length === 0) {
      const name = `soak-${index}`;
      const made = server.send('POST', configMaps, { metadata: { name }, data: { value } });
      ledger.acknowledge(versionOf(await expecting(201, made)));
      live.push(name);
    } else {
      const name = live[(index * 7) % live.length]!;
      const changed = server.send(
        'PATCH',
        `${configMaps}/${name}`,
        { data: { turn: `${index}` } },
        mergePatch,
      );
      ledger.acknowledge(versionOf(await expecting(200, changed)));
    }
  };
}

function leaseTurn({ server }: LoadSettings): Turn {
  return async (index) => {
    const name = `soak-${index % leaseCount}`;
    const spec = {
      holderIdentity: name,
      leaseDurationSeconds: 40,
      renewTime: new Date().toISOString().replace('Z', '000Z'),
    };
    if (index < leaseCount) await expecting(201, server.send('POST', leases, { metadata: { name }, spec }));
    else await expecting(200, server.send('PATCH', `${leases}/${name}`, { spec }, mergePatch));
  };
}

function eventTurn({ server }: LoadSettings): Turn {
  return async (index) => {
    const event = {
      metadata: { generateName: 'soak-' },
      involvedObject: { kind: 'ConfigMap', name: `soak-${index}`, namespace },
      reason: 'Soaked',
      message: `turn ${index}`,
      type: 'Normal',
    };
    await expecting(201, server.send('POST', events, event));
  };
}

/** Consistent lists never go back; pages are of one list. */
function readTurn({ server, ledger }: LoadSettings): Turn {
  let newest = 0;
  return async (index) => {
    const path = index % 10 === 0 ? `${configMaps}?limit=50` : `${configMaps}?limit=5`;
    const list = (await expecting(200, server.send('GET', path))).body;
    const version = Number(list.metadata.resourceVersion);
    if (version < newest) ledger.note(`a list went back from ${newest} to ${version}`);
    newest = version;
    const next = list.metadata.continue;
    if (next === undefined) return;
    const page = (await expecting(200, server.send('GET', `${path}&continue=${next}`))).body;
    if (page.metadata.resourceVersion !== list.metadata.resourceVersion)
      ledger.note(`a page of ${version} is of ${page.metadata.resourceVersion}`);
  };
}

function definitionTurn({ server }: LoadSettings): Turn {
  return async (index) => {
    const plural = `soak${index % 5}s`;
    const name = `${plural}.soak.example`;
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const made = server.send('POST', definitions, {
      metadata: { name },
      spec: {
        group: 'soak.example',
        scope: 'Namespaced',
        names: { plural, kind: `Soak${index % 5}` },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    await expecting(201, made);
    const objects = `/apis/soak.example/v1/namespaces/${namespace}/${plural}`;
    await until(async () => (await server.send('GET', objects)).status === 200);
    const object = { apiVersion: 'soak.example/v1', kind: `Soak${index % 5}`, metadata: { name: 'one' } };
    await expecting(201, server.send('POST', objects, object));
    await expecting(200, server.send('DELETE', `${definitions}/${name}`));
    await until(async () => (await server.send('GET', `${definitions}/${name}`)).status === 404);
  };
}

/** A watch that ends is begun again where it ended. */
async function followConfigMaps(
  { server, ledger }: LoadSettings,
  index: number,
  from: string,
  signal: AbortSignal,
): Promise<void> {
  const report = ledger.addWatch(`watch ${index}`);
  let last = from;
  const onLine = (line: string): void => {
    const { type, object } = JSON.parse(line);
    if (type === 'ERROR') return ledger.note(`watch ${index} ended with ${line}`);
    last = object.metadata.resourceVersion;
    if (type !== 'BOOKMARK') report(Number(last));
  };
  const timeout = 20 + index;
  while (!signal.aborted) {
    const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=${timeout}&resourceVersion=${last}`;
    const status = await server.watch(`${configMaps}?${query}`, onLine, signal);
    if (status !== 200 && !signal.aborted) ledger.note(`watch ${index} was answered ${status}`);
  }
}

async function expecting(status: number, sent: Promise<SoakAnswer>): Promise<SoakAnswer> {
  const answer = await sent;
  if (answer.status !== status)
    throw new Error(`${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
  return answer;
}

const versionOf = ({ body }: SoakAnswer): number => Number(body.metadata.resourceVersion);

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await isSo()) return;
    await pause(50);
  }
  throw new Error('it does not come to be');
}
