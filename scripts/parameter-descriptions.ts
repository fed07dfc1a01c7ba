/**
 * The descriptions of parameters, by the struct of options that they are members of. They are read from the doc
 * comments of the npm package @kubernetes/client-node, as those of types are, from one request that has them.
 */

import { readFileSync } from 'node:fs';
import { definitionName } from '@coxswain/schema/openapi/names.ts';
import { plainParameters } from '@coxswain/schema/openapi/parameters.ts';
import { withParagraphs } from './paragraphs.ts';

type Descriptions = Readonly<Record<string, string>>;

const requests: Readonly<Record<string, string>> = {
  'meta/v1.ListOptions': 'AppsV1ApiListNamespacedDeploymentRequest',
  'meta/v1.CreateOptions': 'AppsV1ApiCreateNamespacedDeploymentRequest',
  'meta/v1.UpdateOptions': 'AppsV1ApiReplaceNamespacedDeploymentRequest',
  'meta/v1.PatchOptions': 'AppsV1ApiPatchNamespacedDeploymentRequest',
  'meta/v1.DeleteOptions': 'AppsV1ApiDeleteNamespacedDeploymentRequest',
  'core/v1.PodLogOptions': 'CoreV1ApiReadNamespacedPodLogRequest',
  'core/v1.PodAttachOptions': 'CoreV1ApiConnectGetNamespacedPodAttachRequest',
  'core/v1.PodExecOptions': 'CoreV1ApiConnectGetNamespacedPodExecRequest',
  'core/v1.PodPortForwardOptions': 'CoreV1ApiConnectGetNamespacedPodPortforwardRequest',
  'core/v1.PodProxyOptions': 'CoreV1ApiConnectGetNamespacedPodProxyRequest',
  'core/v1.ServiceProxyOptions': 'CoreV1ApiConnectGetNamespacedServiceProxyRequest',
  'core/v1.NodeProxyOptions': 'CoreV1ApiConnectGetNodeProxyRequest',
};

/** Parameters that belong to no options. */
const plain = {
  request: 'CoreV1ApiConnectGetNamespacedPodProxyWithPathRequest',
  names: ['namespace', 'path'],
};
const prettyRequest = requests['meta/v1.ListOptions']!;

export function describedParameters(): Record<string, Descriptions> {
  const file = new URL(
    '../node_modules/@kubernetes/client-node/dist/gen/types/ObjectParamAPI.d.ts',
    import.meta.url,
  );
  const declarations = readFileSync(file, 'utf8');
  const known = new Map<string, Descriptions>();
  for (const [, name = '', members = ''] of declarations.matchAll(/^export interface (\w+) \{\n(.*?)^\}/gms))
    known.set(name, membersOf(members));
  const of = (request: string): Descriptions => known.get(request) ?? {};
  const parameters = Object.fromEntries(plain.names.map((name) => [name, of(plain.request)[name] ?? '']));
  return {
    ...Object.fromEntries(
      Object.entries(requests).map(([options, request]) => [
        definitionName(options),
        options.startsWith('meta/') ? withParagraphs(of(request)) : of(request),
      ]),
    ),
    [plainParameters]: { ...parameters, pretty: of(prettyRequest)['pretty'] ?? '' },
  };
}

const membersOf = (text: string): Descriptions =>
  Object.fromEntries(
    [...text.matchAll(/\/\*\*\n\s*\* (.*)\n(?:\s*\*.*\n)*?\s*\*\/\n\s*_?(\w+)\??:/g)].map(
      ([, comment = '', name = '']) => [name, unescaped(comment)],
    ),
  );

const entities: Readonly<Record<string, string>> = {
  quot: '"',
  '#39': "'",
  '#x60': '`',
  '#x3D': '=',
  lt: '<',
  gt: '>',
};

const unescaped = (text: string): string =>
  text
    .replace(/\\?&(quot|#39|#x60|#x3D|lt|gt);/g, (_, entity: string) => entities[entity]!)
    .replace(/&amp;/g, '&')
    .trim();
