/** Matchers for `expect.extend(matchers)` of vitest and jest. */

import { isStatusError, type KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { discoveryClient, restMapper } from '@coxswain/client';
import type { EventuallyOptions } from '../eventually.ts';
import { closestRequests } from '../requests/closest-requests.ts';
import type { RequestPattern } from '../requests/request-log.ts';
import { replayOf } from '../seed.ts';
import type { TestCluster } from '../test-cluster.ts';
import { differences } from './differences.ts';
import type { MatcherResult, ObjectName } from '../../../types/testing.d.ts';

export type { MatcherResult, ObjectName } from '../../../types/testing.d.ts';

export const matchers = {
  /** Waits in the cluster's time until the object has everything in `wanted`. */
  async toEventuallyHave(
    cluster: TestCluster,
    object: ObjectName,
    wanted: object = {},
    options: EventuallyOptions = {},
  ): Promise<MatcherResult> {
    return resultOf(cluster, `${object} to have ${JSON.stringify(wanted)}`, () =>
      cluster.eventually(async () => {
        const found = await objectNamed(cluster, object);
        if (found === undefined) throw new Error(`${object} not found`);
        const wrong = differences(found, wanted);
        if (wrong.length > 0) throw new Error(`${object}: ${wrong.join('; ')}`);
      }, options),
    );
  },
  /** Waits in the cluster's time until the object no longer exists. */
  async toEventuallyLack(
    cluster: TestCluster,
    object: ObjectName,
    options: EventuallyOptions = {},
  ): Promise<MatcherResult> {
    return resultOf(cluster, `${object} to be gone`, () =>
      cluster.eventually(async () => {
        if ((await objectNamed(cluster, object)) !== undefined) throw new Error(`${object} still exists`);
      }, options),
    );
  },
  /** Checks that matching requests were made; exactly this many if a number is given. */
  toHaveRequested(cluster: TestCluster, pattern: RequestPattern, times?: number): MatcherResult {
    const found = cluster.requests(pattern);
    const pass = times === undefined ? found.length > 0 : found.length === times;
    const wanted = times === undefined ? 'at least one request' : `${times} requests`;
    return {
      pass,
      message: () => {
        const others = found.length > 0 ? found : cluster.requests();
        const reported = closestRequests(others, pattern).map((line) => `\n  ${line}`);
        const head = `expected ${pass ? 'anything but ' : ''}${wanted} like ${JSON.stringify(pattern)}, but there were ${found.length} (${replayOf(cluster.seed)})`;
        return others.length === 0
          ? `${head}; there were no requests at all`
          : `${head}; ${found.length > 0 ? 'these' : 'other requests'}:${reported.join('')}`;
      },
    };
  },
};

async function resultOf(
  { seed }: TestCluster,
  what: string,
  attempt: () => Promise<void>,
): Promise<MatcherResult> {
  try {
    await attempt();
    return { pass: true, message: () => `expected not ${what} (${replayOf(seed)})` };
  } catch (failure) {
    return { pass: false, message: () => `expected ${what}: ${messageOf(failure)}` };
  }
}

async function objectNamed(cluster: TestCluster, text: ObjectName): Promise<KubeObject | undefined> {
  const [type = '', ...path] = text.split('/');
  const name = path.pop() ?? '';
  if (name === '' || path.length > 1)
    throw new Error(`an object must be written as type/name or type/namespace/name, not "${text}"`);
  const resource = restMapper(await discoveryClient(cluster.client.rest).discover()).resourceFor(type);
  const all = cluster.client.resource(resource);
  try {
    return await (resource.namespaced ? all.namespace(path[0] ?? cluster.namespace) : all).get(name);
  } catch (failure) {
    if (isStatusError(failure, 'NotFound')) return undefined;
    throw failure;
  }
}
