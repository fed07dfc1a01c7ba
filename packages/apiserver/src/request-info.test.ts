import { expect, test } from 'vitest';
import { parseRequestInfo } from './request-info.ts';

const described = (method: string, path: string, query = '') => {
  const { verb, group, version, namespace, resource, subresource, name, isResourceRequest } =
    parseRequestInfo(method, path, query);
  return [isResourceRequest, verb, group, version, namespace, resource, subresource, name];
};

test.each([
  ['GET', '/api/v1/namespaces/x/pods/p', '', [true, 'get', '', 'v1', 'x', 'pods', '', 'p']],
  ['GET', '/api/v1/namespaces/x/pods', '', [true, 'list', '', 'v1', 'x', 'pods', '', '']],
  ['GET', '/api/v1/pods', 'watch=true', [true, 'watch', '', 'v1', '', 'pods', '', '']],
  ['GET', '/api/v1/pods', 'watch=0', [true, 'list', '', 'v1', '', 'pods', '', '']],
  ['GET', '/api/v1/watch/pods', '', [true, 'watch', '', 'v1', '', 'pods', '', '']],
  [
    'GET',
    '/api/v1/watch/pods',
    'fieldSelector=metadata.name%3Da',
    [true, 'watch', '', 'v1', '', 'pods', '', ''],
  ],
  [
    'DELETE',
    '/apis/apps/v1/namespaces/x/deployments',
    '',
    [true, 'deletecollection', 'apps', 'v1', 'x', 'deployments', '', ''],
  ],
  [
    'PUT',
    '/apis/apps/v1/namespaces/x/deployments/d/scale',
    '',
    [true, 'update', 'apps', 'v1', 'x', 'deployments', 'scale', 'd'],
  ],
  ['GET', '/api/v1/namespaces/x', '', [true, 'get', '', 'v1', 'x', 'namespaces', '', 'x']],
  [
    'PUT',
    '/api/v1/namespaces/x/finalize',
    '',
    [true, 'update', '', 'v1', 'x', 'namespaces', 'finalize', 'x'],
  ],
  ['GET', '/api/v1/pods', 'fieldSelector=metadata.name%3Da', [true, 'list', '', 'v1', '', 'pods', '', 'a']],
  ['OPTIONS', '/api/v1/pods', '', [true, '', '', 'v1', '', 'pods', '', '']],
  ['GET', '/api/v1', '', [false, 'get', '', '', '', '', '', '']],
  ['POST', '/healthz', '', [false, 'post', '', '', '', '', '', '']],
])('%s %s?%s is understood as the original does', (method, path, query, expected) => {
  expect(described(method, path, query)).toEqual(expected);
});

test('a segment with invalid percent-encoding stays unchanged', () => {
  expect(parseRequestInfo('GET', '/api/v1/namespaces/%zz/pods', '').namespace).toBe('%zz');
});
