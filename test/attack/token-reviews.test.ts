/** A webhook for tokens that leads back to the server that asks it. */
import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import { assembleKubeApiServer } from '@coxswain/kube-apiserver';
import type { WebhookConnection } from '@coxswain/kube-apiserver/webhook-connection.ts';
import { MemoryStorage } from '@coxswain/storage';
import { expect, test } from 'vitest';

test('asks once for a token that it is being asked about, and the loop ends with the webhook’s patience', async () => {
  const clock = new ManualClock();
  const asked: string[] = [];
  const patienceMs = 30_000;
  const connection: WebhookConnection = {
    async post(body) {
      asked.push(body);
      const inner = review(body);
      const patience = clock.sleep(patienceMs).then(() => {
        throw new Error('context deadline exceeded');
      });
      return { status: 201, body: JSON.stringify(await Promise.race([inner, patience])) };
    },
  };
  const server = await assembleKubeApiServer({
    storage: new MemoryStorage({ clock }),
    clock,
    random: seededRandom(1),
    authorizationModes: ['RBAC'],
    authentication: { webhook: { connection, version: 'v1', cacheTtlMs: 120_000 } },
  });
  const admin = server.inProcess({ name: 'admin', groups: ['system:masters'] });
  const review = async (body: string): Promise<unknown> => {
    const answer = await admin.send({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/tokenreviews',
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(body),
    });
    return JSON.parse(new TextDecoder().decode(await answer.bytes())) as unknown;
  };
  const body = JSON.stringify({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token: 'a-token-that-nobody-knows' },
  });

  const reviews = Promise.all(Array.from({ length: 50 }, () => review(body)));
  for (let second = 0; second <= patienceMs / 1000; second++) await clock.advance(1000);
  const answers = await reviews;

  expect(asked).toHaveLength(1);
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: { error: '[invalid bearer token, context deadline exceeded]' } });
  }
  await server.stop();
});
