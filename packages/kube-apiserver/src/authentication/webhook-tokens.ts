/** Authenticates tokens by an external service, with a TokenReview (`--authentication-token-webhook-config-file`). */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  absent,
  refused,
  type Authentication,
  type TokenAuthenticator,
  type UserInfo,
} from '@coxswain/apiserver';
import { intersection } from '@coxswain/apiserver/authentication/audience-agnostic.ts';
import type { Clock, Random } from '@coxswain/apimachinery';
import { answeredObject } from '../webhook-answer.ts';
import type { WebhookConnection } from '../webhook-connection.ts';
import { postWithRetry } from '../webhook-retry.ts';

export interface WebhookTokenOptions {
  readonly connection: WebhookConnection;
  /** The version of the TokenReview that is sent. */
  readonly version: 'v1' | 'v1beta1';
  /** This server's audiences, for a service that knows none. */
  readonly implicitAudiences: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: (line: string) => void;
}

const initialBackOffMs = 500;

export const webhookTokens = (options: WebhookTokenOptions): TokenAuthenticator => ({
  name: 'webhook',
  async authenticateToken(token, audiences) {
    let status: ReviewStatus;
    try {
      status = await reviewed(token, audiences, options);
    } catch (failure) {
      const message = messageOf(failure);
      options.log(`Failed to make webhook authenticator request: ${message}`);
      return refused(message);
    }
    return judged(status, audiences, options.implicitAudiences);
  },
});

interface ReviewStatus {
  readonly authenticated?: boolean;
  readonly user?: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[] | null;
    readonly extra?: Readonly<Record<string, readonly string[]>> | null;
  };
  readonly audiences?: readonly string[] | null;
  readonly error?: string;
}

/** @throws Error for an invalid response */
async function reviewed(
  token: string,
  audiences: readonly string[],
  { connection, version, clock, random }: WebhookTokenOptions,
): Promise<ReviewStatus> {
  const body = JSON.stringify({
    kind: 'TokenReview',
    apiVersion: `authentication.k8s.io/${version}`,
    metadata: {},
    spec: { token, ...(audiences.length === 0 ? {} : { audiences }) },
    status: { user: {} },
  });
  const answer = await postWithRetry(connection, body, { clock, random, initialMs: initialBackOffMs });
  const { status } = answeredObject(answer) as { readonly status?: ReviewStatus };
  return status ?? {};
}

function judged(
  { authenticated, user = {}, audiences, error = '' }: ReviewStatus,
  asked: readonly string[],
  implicit: readonly string[],
): Authentication {
  const meantFor = intersection(asked, audiences?.length ? audiences : implicit);
  if (asked.length > 0 && meantFor.length === 0) return absent;
  if (authenticated !== true) return error === '' ? absent : refused(error);
  return { kind: 'authenticated', user: userOf(user), ...(asked.length > 0 && { audiences: meantFor }) };
}

const userOf = ({ username = '', uid = '', groups, extra }: NonNullable<ReviewStatus['user']>): UserInfo => ({
  name: username,
  groups: groups ?? [],
  ...(uid === '' ? {} : { uid }),
  ...(extra ? { extra } : {}),
});
