/** What the user may do. The server is asked before a button is pressed, and the answer is valid for a minute. */

import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import type { ApiResource } from '@coxswain/client';
import { signal, type Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { client } from './cluster.ts';

export interface Permission {
  /** `asking`: the answer is not yet known and buttons are disabled. */
  readonly answer: 'asking' | 'allowed' | 'denied';
  /** The authorizer's reason for a denial. */
  readonly reason: string;
}

export interface Action {
  readonly verb: string;
  readonly resource: Pick<ApiResource, 'group' | 'resource'>;
  readonly subresource?: string;
  readonly namespace?: string | undefined;
  readonly name?: string;
}

interface Asked {
  readonly permission: Signal<Permission>;
  readonly askedMs: number;
}

const asked = new Map<string, Asked>();
const validMs = 60_000;
const keptMax = 500;

/** Without an action, nothing is asked. */
export function useMay(action: Action | undefined): Permission {
  const key = action === undefined ? '' : JSON.stringify(action);
  const permission = useMemo(() => (action === undefined ? undefined : may(action, key)), [key]);
  return permission?.value ?? asking;
}

const asking: Permission = { answer: 'asking', reason: '' };

function may(action: Action, key: string): Signal<Permission> {
  const known = asked.get(key);
  if (known !== undefined && Date.now() - known.askedMs < validMs) return known.permission;
  const permission = signal(known?.permission.peek() ?? asking);
  if (asked.size >= keptMax) asked.clear();
  asked.set(key, { permission, askedMs: Date.now() });
  whenFulfilled(review(action), (answer) => (permission.value = answer));
  return permission;
}

interface Review {
  readonly status?: { readonly allowed?: boolean; readonly reason?: string };
}

/** If the server does not answer access reviews, the request itself will show whether it is allowed. */
async function review({ verb, resource, subresource, namespace, name }: Action): Promise<Permission> {
  try {
    const { status } = await client.rest.request<Review>({
      verb: 'POST',
      groupVersion: { group: 'authorization.k8s.io', version: 'v1' },
      resource: 'selfsubjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: {
          resourceAttributes: {
            verb,
            group: resource.group,
            resource: resource.resource,
            ...(subresource !== undefined && { subresource }),
            ...(namespace !== undefined && { namespace }),
            ...(name !== undefined && { name }),
          },
        },
      },
    });
    return status?.allowed === false
      ? { answer: 'denied', reason: status.reason ?? '' }
      : { answer: 'allowed', reason: '' };
  } catch {
    return { answer: 'allowed', reason: '' };
  }
}
