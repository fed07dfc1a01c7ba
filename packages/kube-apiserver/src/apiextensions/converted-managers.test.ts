import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ManagedFieldsEntry } from '@coxswain/apimachinery';
import { playedWebhooks, type AskedReview } from '../testing/played-webhooks.ts';
import { startedServer, type StartedServer } from '../testing/started-server.ts';

let server: StartedServer;
/** Set to make the webhook fail. */
let problem: string | undefined;
afterEach(() => server.stop());

/** v1 has a size where v2 has replicas. */
const converted = ({ request }: AskedReview): object[] =>
  (request.objects ?? []).map(({ size, replicas, ...rest }) => {
    const apiVersion = request.desiredAPIVersion!;
    const amount = size ?? replicas;
    return {
      ...rest,
      apiVersion,
      ...(amount !== undefined && { [apiVersion.endsWith('v2') ? 'replicas' : 'size']: amount }),
    };
  });

const answer = (review: AskedReview) => ({
  apiVersion: review.apiVersion,
  kind: 'ConversionReview',
  response: {
    uid: review.request.uid,
    ...(problem === undefined
      ? { result: { status: 'Success' }, convertedObjects: converted(review) }
      : { result: { status: 'Failure', message: problem } }),
  },
});

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const at = (version: string, rest = '') => `/apis/hooks.test/${version}/namespaces/default/widgets${rest}`;
const merge = 'application/merge-patch+json';

const version = (name: string, amount: string) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { [amount]: { type: 'integer' }, tone: { type: 'string' } },
    },
  },
});

async function define(conversion: object): Promise<void> {
  server = await startedServer({ webhookCaller: () => playedWebhooks({ '/convert': answer }) });
  const { status, text } = await server.send('POST', definitions, {
    metadata: { name: 'widgets.hooks.test' },
    spec: {
      group: 'hooks.test',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      conversion,
      versions: [version('v1', 'size'), version('v2', 'replicas')],
    },
  });
  expect(status, text).toBe(201);
  await expect.poll(() => server.send('GET', at('v2')).then(({ status: code }) => code)).toBe(200);
}

const apply = (inVersion: string, manager: string, members: object, more = '') =>
  server.send(
    'PATCH',
    at(inVersion, `/a?fieldManager=${manager}${more}`),
    { apiVersion: `hooks.test/${inVersion}`, kind: 'Widget', metadata: { name: 'a' }, ...members },
    'application/apply-patch+yaml',
  );

interface Owned {
  readonly metadata: { readonly managedFields?: readonly ManagedFieldsEntry[] };
}

const owners = async () => {
  const { metadata } = (await server.send('GET', at('v1', '/a'))).body as unknown as Owned;
  return (metadata.managedFields ?? []).map(({ manager, apiVersion, fieldsV1 }) => [
    manager,
    apiVersion,
    fieldsV1,
  ]);
};

describe('managers who wrote in a version that a webhook converts', () => {
  beforeEach(async () => {
    problem = undefined;
    await define({
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://hooks.test/convert' } },
    });
  });

  test('own what they wrote under whatever name it has', async () => {
    await apply('v2', 'two', { replicas: 3 });
    expect((await apply('v1', 'one', { size: 3 })).status).toBe(200);
    expect((await apply('v1', 'one', { size: 4 })).body).toMatchObject({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "two": .replicas',
    });
    await apply('v1', 'one', { size: 4 }, '&force=true');
    expect(await owners()).toEqual([['one', 'hooks.test/v1', { 'f:size': {} }]]);
  });

  test('take away what they no longer apply in the other version', async () => {
    await apply('v2', 'two', { replicas: 3, tone: 'high' });
    expect((await apply('v1', 'two', { tone: 'high' })).body).not.toHaveProperty('size');
  });

  test('are forgotten by a write when the webhook fails, and an apply fails with it', async () => {
    await apply('v2', 'two', { replicas: 3 });
    await server.send('PATCH', at('v1', '/a?fieldManager=one'), { tone: 'high' }, merge);
    problem = 'not today';
    const { status, body } = await apply('v1', 'one', { tone: 'low' });
    expect([status, body.message]).toEqual([
      500,
      'conversion webhook for hooks.test/v1, Kind=Widget failed: not today',
    ]);
    await server.send('PATCH', at('v1', '/a'), { tone: 'low' }, merge);
    expect(await owners()).toEqual([]);
  });
});

test('what a version without the field can’t show is told of an apply, and a write forgets all managers', async () => {
  await define({ strategy: 'None' });
  await apply('v2', 'two', { replicas: 3 });
  const { body } = await apply('v1', 'one', { size: 4 });
  expect(body).toMatchObject({
    code: 500,
    message: 'failed to convert new object: .size: field not declared in schema',
  });
  await server.send('PATCH', at('v1', '/a'), { size: 4 }, merge);
  expect(await owners()).toEqual([]);
});
