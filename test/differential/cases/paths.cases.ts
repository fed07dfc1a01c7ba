/** Odd paths and queries, by every method: empty segments, escapes, dots, and what stands at the end. */
import { ask, type DifferentialCase } from './case.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const paths = [
  '/',
  '/version',
  '/version/',
  '/version//',
  '/version/x',
  '/api',
  '/api/',
  '/api//',
  '/api/v1',
  '/api/v1/',
  '/api/v1//',
  '/api/v2',
  '/api/v1/nosuch',
  '/api/v1/namespaces/$ns/nosuch/x',
  '/api/v1/namespaces/$ns/nosuch/x/y',
  '/apis',
  '/apis/',
  '/apis//',
  '/apis/apps',
  '/apis/apps/',
  '/apis/apps//',
  '/apis/apps/v1',
  '/apis/apps/v1/',
  '/apis/apps/v1//',
  '/apis/apps/v2',
  '/apis/apps/v1/nosuch',
  '/apis/nosuch.io',
  '/apis/nosuch.io/',
  '/apis/nosuch.io/v1',
  '/apis/nosuch.io/v1/things',
  '/api/v1/configmaps/a',
  '/api/v1/configmaps/a/b',
  '/api/v1/namespaces/$ns/configmaps/',
  '/api/v1/namespaces/$ns/configmaps/a/',
  '/api/v1/namespaces/$ns/configmaps/a/status',
  '/api/v1/namespaces/$ns/configmaps/a/status/',
  '/api/v1/namespaces/$ns/configmaps/a/status/x',
  '/api/v1/namespaces/$ns/configmaps/%61',
  '/api/v1/namespaces/$ns/configmaps/a%2Fb',
  '/api/v1/namespaces/$ns/configmaps/a%20b',
  '/api/v1/namespaces/$ns/configmaps/..',
  '/api/v1/namespaces/$ns/configmaps/.',
  '/api/v1/namespaces/$ns/configmaps/%2e%2e',
  '/api/v1/namespaces/$ns/configmaps/A_B',
  '/api/v1/namespaces/$ns/configmaps/%00',
  '/api/v1/namespaces/$ns/configmaps/%C3%A9',
  '/api/v1/namespaces/$ns',
  '/api/v1/namespaces/$ns/',
  '/api/v1/namespaces/$ns//',
  '/api/v1/namespaces/$ns/status',
  '/api/v1/namespaces/$ns/finalize',
  '/api/v1/namespaces/$ns/nosuch',
  '/api/v1/nodes/a/proxy',
  '/api/v1/nodes/a/nosuch',
  '/api/v1/namespaces/$ns/pods/a/nosuch',
  '/api/v1/namespaces/$ns/pods/a/exec',
  '/api/v1/namespaces/$ns/pods/a/log/x',
  '/api/v1/namespaces/$ns/services/a/proxy/',
  '/api/v1/proxy/namespaces/$ns/services/a',
  '/api/v1/watch',
  '/api/v1/watch/',
  '/api/v1/watch/nosuch',
  '/api/v1/watch/namespaces/$ns/configmaps/',
  '/apis/apps/v1/watch/nosuch',
  '/apis/apps/v1/namespaces/$ns/deployments/a/scale',
  '/apis/apps/v1/namespaces/$ns/deployments/a/scale/',
  '/apis/apps/v1/namespaces/$ns/deployments/a/nosuch',
  '/apis/apps/v1/deployments/a',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/$ns/clusterroles',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles/view/status',
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews/x',
  '/apis/authorization.k8s.io/v1/namespaces/$ns/localsubjectaccessreviews',
  '/healthz',
  '/healthz/',
  '/healthz/ping',
  '/healthz/nosuch',
  '/livez/',
  '/livez/nosuch',
  '/readyz/ping/',
  '/metrics/',
  '/metrics/nosuch',
  '/openapi',
  '/openapi/',
  '/openapi/v2/',
  '/openapi/v3/',
  '/openapi/v3/nosuch',
  '/openapi/v3/apis/nosuch',
  '/swagger.json',
  '/swaggerapi',
  '/ui',
  '/logs',
  '/logs/',
  '/debug',
  '/.well-known',
  '/.well-known/',
  '/.well-known/openid-configuration/',
  '/openid',
  '/openid/v1/jwks/',
  '/nosuch',
  '/nosuch/',
  '/favicon.ico',
];

/** What differs from run to run, or is long. */
const more = (path: string) =>
  /^\/(version|api\/*$|metrics|openapi|debug|openid|\.well-known|logs)|^\/apis\/?$|^\/$|^\/(api|apis\/apps)\/v1\/?$/.test(
    path,
  )
    ? { pick: ['kind', 'message', 'reason', 'code', '@headers.content-type', '@headers.allow'] }
    : {};

const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' } };

export const cases: readonly DifferentialCase[] = methods.flatMap((method) =>
  ['admin', 'bob', 'anonymous'].map((as): DifferentialCase => ({
    name: `${method.toLowerCase()}-${as}`,
    steps: paths
      .filter((path) => method !== 'DELETE' || as !== 'admin' || !path.endsWith('/namespaces/'))
      // Refusals quote the version of the namespace.
      .filter((path) => !(method === 'PATCH' && as === 'admin' && /\$ns\/*(status|finalize)?$/.test(path)))
      // An open watch answers nothing, and deleting all that there is disturbs the others.
      .filter((path) => !(as === 'admin' && /\/watch\/namespaces/.test(path)))
      .filter((path) => !(method === 'DELETE' && as === 'admin' && /namespaces\/(\$ns\/*)?$/.test(path)))
      .filter((path) => !(as === 'admin' && path.endsWith('selfsubjectaccessreviews') && method === 'POST'))
      .map((path) =>
        ask(
          `${method} ${path}`,
          method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'DELETE'
            ? undefined
            : body,
          {
            as,
            ...more(path),
            ...(method === 'PATCH' && { type: 'application/merge-patch+json' }),
          },
        ),
      ),
  })),
);
