import type { KubeObject } from '@coxswain/apimachinery';
import { afterAll, expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const clusters: TestCluster[] = [];
const cluster = async () => {
  const made = await createCluster({ seed: 1 });
  clusters.push(made);
  return made;
};
afterAll(() => Promise.all(clusters.map((each) => each.stop())));

type Tokens = KubeObject & { spec: object; status?: { token: string } };
type Review = KubeObject & {
  spec: object;
  status?: { authenticated?: boolean; user?: { username: string } };
};

const tokenIn = async ({ client }: TestCluster): Promise<string> => {
  const answer = await client
    .resource<Tokens>('v1', 'serviceaccounts')
    .namespace('default')
    .create(
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        metadata: {},
        spec: { audiences: [] },
      } as never,
      { name: 'default', subresource: 'token' },
    );
  return answer.status!.token;
};

const review = async ({ client }: TestCluster, token: string) => {
  const { status } = await client.resource<Review>('authentication.k8s.io/v1', 'tokenreviews').create({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    metadata: {},
    spec: { token },
  } as never);
  return status;
};

test('a test cluster signs tokens, and recognizes its own only', async () => {
  const [one, other] = await Promise.all([cluster(), cluster()]);
  const token = await tokenIn(one);

  expect(await review(one, token)).toMatchObject({
    authenticated: true,
    user: { username: 'system:serviceaccount:default:default' },
  });
  expect((await review(other, token))?.authenticated).not.toBe(true);
});
