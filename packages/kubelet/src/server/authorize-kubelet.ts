/** Authorizes requests to the kubelet: the API server's authorizer decides about subresources of the node. */
import { ownMember } from '@coxswain/apimachinery/own-member.ts';
import { textResponse, type Answer } from '@coxswain/apiserver/http/api-response.ts';
import type { ApiRequest } from '@coxswain/apiserver';
import type { AuthorizationAttributes, Authorizer } from '@coxswain/apiserver/authorization/authorizer.ts';
import type { Filter, Next } from '@coxswain/apiserver/filters/filter.ts';

export interface AuthorizeKubeletOptions {
  readonly authorizer: Authorizer;
  readonly nodeName: string;
  readonly acceptsAnonymous: boolean;
}

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** The subresources for each path; with two, access to either is enough. Everything else is `proxy`. */
const partsOfPaths: readonly (readonly [path: string, ...parts: readonly string[]])[] = [
  ['/stats', 'stats'],
  ['/metrics', 'metrics'],
  ['/logs', 'log'],
  ['/checkpoint', 'checkpoint'],
  ['/statusz', 'statusz'],
  ['/flagz', 'flagz'],
  ['/healthz', 'healthz', 'proxy'],
  ['/configz', 'configz', 'proxy'],
  ['/pods', 'pods', 'proxy'],
  ['/runningpods', 'pods', 'proxy'],
];

export const partsOf = (path: string): readonly string[] =>
  partsOfPaths.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.slice(1) ?? ['proxy'];

export function authorizeKubelet({
  authorizer,
  nodeName,
  acceptsAnonymous,
}: AuthorizeKubeletOptions): Filter {
  return {
    step: 'authorize',
    handle(request, next) {
      if (!acceptsAnonymous && request.user.name === 'system:anonymous')
        return textResponse(401, 'Unauthorized');
      return decide(authorizer, request, partsOf(request.info.path), nodeName, next);
    },
  };
}

async function decide(
  authorizer: Authorizer,
  request: ApiRequest,
  parts: readonly string[],
  nodeName: string,
  next: Next,
): Promise<Awaited<Answer>> {
  const verb = ownMember(verbs, request.method) ?? '';
  for (const part of parts) {
    const decision = await authorizer.decide(attributesOf(request, verb, part, nodeName));
    if (decision.kind === 'allow') return next(request);
    if (decision.problem !== undefined) {
      const { name } = request.user;
      return textResponse(
        500,
        `Authorization error (user=${name}, verb=${verb}, resource=nodes, subresource=${part})`,
      );
    }
  }
  const what = `user=${request.user.name}, verb=${verb}, resource=nodes, subresource(s)=[${parts.join(' ')}]`;
  return textResponse(403, `Forbidden (${what})\n`);
}

const attributesOf = (
  { user, info }: ApiRequest,
  verb: string,
  subresource: string,
  name: string,
): AuthorizationAttributes =>
  ({
    user,
    verb,
    path: info.path,
    isResourceRequest: true,
    namespace: '',
    group: '',
    version: 'v1',
    resource: 'nodes',
    subresource,
    name,
  }) as AuthorizationAttributes;
