import { AllowanceSpent, WorkAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import { keptBody, ReadRequest } from '@coxswain/apiserver/http/read-request.ts';
import type { ServeSomewhere } from '@coxswain/apiserver/services/services.ts';
import { afterEach, expect, test } from 'vitest';
import { playedWebhooks, type AskedReview, type PlayedWebhooks } from '../testing/played-webhooks.ts';
import { startedServer, type StartedServer } from '../testing/started-server.ts';

let server: StartedServer;
let hooks: PlayedWebhooks;
afterEach(() => server.stop());

/** v1 has a size where v2 has replicas. */
function converted({ request }: AskedReview): object[] {
  const { desiredAPIVersion: apiVersion, objects = [] } = request;
  const name = apiVersion!.endsWith('v2') ? 'replicas' : 'size';
  return objects.map(({ size, replicas, ...rest }) => ({ ...rest, apiVersion, [name]: size ?? replicas }));
}

const answered = ({ apiVersion, request }: AskedReview, convertedObjects: object[]) => ({
  apiVersion,
  kind: 'ConversionReview',
  response: { uid: request.uid, result: { status: 'Success' }, convertedObjects },
});

const versionsStoring = (stored: string) =>
  ['v1', 'v2'].map((name) => ({
    name,
    served: true,
    storage: name === stored,
    selectableFields: [{ jsonPath: name === 'v1' ? '.size' : '.replicas' }],
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { [name === 'v1' ? 'size' : 'replicas']: { type: 'integer', maximum: 10 } },
      },
    },
  }));

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const at = (version: string, rest = '') => `/apis/hooks.test/${version}/namespaces/default/widgets${rest}`;

async function serving(
  convert: (review: AskedReview) => object[] = converted,
  options: Parameters<typeof startedServer>[0] = {},
): Promise<void> {
  hooks = playedWebhooks({ '/convert': (review) => answered(review, convert(review)) });
  server = await startedServer({ webhookCaller: () => hooks, ...options });
  const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://hooks.test/convert' } };
  const { status, text } = await server.send('POST', definitions, {
    metadata: { name: 'widgets.hooks.test' },
    spec: {
      group: 'hooks.test',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      conversion: { strategy: 'Webhook', webhook },
      versions: versionsStoring('v1'),
    },
  });
  expect(status, text).toBe(201);
  await expect.poll(() => server.send('GET', at('v2')).then(({ status: code }) => code)).toBe(200);
}

const create = (version: string, members: object, name = 'a') =>
  server.send('POST', at(version), {
    apiVersion: `hooks.test/${version}`,
    kind: 'Widget',
    metadata: { name },
    ...members,
  });

test('an object is written and read in any version', async () => {
  await serving();
  expect((await create('v2', { replicas: 3 })).body).toMatchObject({ replicas: 3 });
  expect((await server.send('GET', at('v1', '/a'))).body).toMatchObject({ size: 3 });
  expect((await server.send('GET', at('v2'))).body.items).toMatchObject([{ replicas: 3 }]);
});

test('field selectors apply to the requested version, whichever is stored', async () => {
  await serving();
  for (const replicas of [1, 2, 3]) await create('v2', { replicas }, `w${replicas}`);
  const selected = async (version: string, selector: string) => {
    const { body } = await server.send('GET', `${at(version)}?fieldSelector=${encodeURIComponent(selector)}`);
    return (body.items as readonly { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
  };
  expect(await selected('v2', 'replicas=2')).toEqual(['w2']);
  expect(await selected('v2', 'replicas!=2,metadata.name!=w3')).toEqual(['w1']);
  expect(await selected('v2', 'metadata.name=w3,replicas=2')).toEqual([]);
  expect(await selected('v1', 'size=2')).toEqual(['w2']);
});

test('a write is checked by the schema of the version in which it came', async () => {
  await serving();
  const { status, body } = await create('v2', { replicas: 30 });
  expect(status).toBe(422);
  expect(body.message).toContain('replicas');
});

test('a stored object is converted once for all readers of a version', async () => {
  await serving();
  await create('v1', { size: 3 });
  await server.send('GET', at('v2', '/a'));
  await server.send('GET', at('v2', '/a'));
  expect(hooks.asked['/convert']).toHaveLength(1);
});

test('a webhook may change labels, but not the name', async () => {
  let change: (metadata: object) => object = (metadata) => ({ ...metadata, labels: { by: 'hook' } });
  await serving((review) =>
    converted(review).map((object) => ({
      ...object,
      metadata: change((object as { metadata: object }).metadata),
    })),
  );
  await create('v1', { size: 3 });
  expect((await server.send('GET', at('v2', '/a'))).body.metadata).toMatchObject({ labels: { by: 'hook' } });
  change = (metadata) => ({ ...metadata, name: 'other' });
  await server.send('PATCH', at('v1', '/a'), { size: 4 }, 'application/merge-patch+json');
  expect((await server.send('GET', at('v2', '/a'))).body).toMatchObject({
    code: 500,
    message:
      'conversion webhook for hooks.test/v1, Kind=Widget returned invalid object: must have the same name: a != other',
  });
});

test('objects stored in a former version are converted, too', async () => {
  await serving();
  await create('v1', { size: 3 });
  const versions = versionsStoring('v2');
  const merge = 'application/merge-patch+json';
  await server.send('PATCH', `${definitions}/widgets.hooks.test`, { spec: { versions } }, merge);
  await expect
    .poll(() => server.send('GET', at('v2', '/a')).then(({ body }) => body))
    .toMatchObject({ replicas: 3 });
  expect((await server.send('GET', at('v1', '/a'))).body).toMatchObject({ size: 3 });
});

test('metrics tell how conversions went', async () => {
  let convert = converted;
  await serving((review) => convert(review));
  await create('v2', { replicas: 3 });
  convert = () => [];
  await server.send('PATCH', at('v1', '/a'), { size: 4 }, 'application/merge-patch+json');
  await server.send('GET', at('v2', '/a'));

  const { text } = await server.send('GET', '/metrics');
  const asked = 'apiserver_conversion_webhook_request_total';
  const definition = 'apiserver_crd_conversion_webhook_duration_seconds_count{crd_name="widgets.hooks.test"';
  const partial = 'conversion_webhook_partial_response_failure';
  expect(text).toMatch(new RegExp(`^${asked}{failure_type="",result="success"} [1-9]`, 'm'));
  // Once for field ownership, once for the read.
  expect(text).toContain(`${asked}{failure_type="${partial}",result="failure"} 2`);
  expect(text).toContain(`${definition},from_version="v2",succeeded="true",to_version="v1"} 1`);
  expect(text).toContain(`${definition},from_version="v1",succeeded="false",to_version="v2"} 2`);
});

/** Requests of the main thread have an allowance; those that start again have none, as in another thread. */
function elsewhere(begunAgain: string[]): Parameters<typeof startedServer>[0] {
  const serveSomewhere: ServeSomewhere = async (request, { storage }, step, here) => {
    if (storage.isConvertedElsewhere !== true || request.info.verb === 'watch') return here();
    request.incoming = new ReadRequest(request.incoming, keptBody(request.incoming.body));
    request.allowance = new WorkAllowance({ monotonic: () => 0 }, 1, 10_000);
    try {
      return await here();
    } catch (failure) {
      if (!(failure instanceof AllowanceSpent)) throw failure;
      begunAgain.push(step);
      request.allowance = undefined;
      return here();
    }
  };
  const workers = {
    serveSomewhere: () => serveSomewhere,
    reform: undefined as never,
    refuseWaiting: () => undefined,
    stop: async () => undefined,
  };
  return { workers };
}

test('requests that need a large conversion start again in another thread, small ones do not', async () => {
  const begunAgain: string[] = [];
  let notes = {};
  await serving(
    (review) =>
      converted(review).map((object) => ({
        ...object,
        metadata: { ...(object as { metadata: object }).metadata, annotations: notes },
      })),
    elsewhere(begunAgain),
  );
  const change = { metadata: { labels: { a: 'b' } } };
  const merge = 'application/merge-patch+json';
  const all = async () => {
    await create('v1', { size: 3 });
    expect((await server.send('GET', at('v2', '/a'))).status).toBe(200);
    expect((await server.send('GET', at('v2'))).body.items).toHaveLength(1);
    expect((await server.send('PATCH', `${at('v2', '/a')}?dryRun=All`, change, merge)).status).toBe(200);
    // What another thread has converted is not written by this one, either.
    expect((await server.send('GET', at('v2', '/a'))).status).toBe(200);
    await server.send('DELETE', at('v1', '/a'));
  };
  await all();
  expect(begunAgain).toEqual([]);

  notes = { note: 'x'.repeat(20_000) };
  await all();
  // A single text is written at once.
  expect(begunAgain).toEqual(['get', 'patch']);

  begunAgain.length = 0;
  notes = Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`n${at}`, '']));
  await all();
  expect(begunAgain).toEqual(['get', 'list', 'patch', 'get']);
});
