/** The operations of non-resource paths: the groups, the server's version, the keys of its tokens. */

import { groupId, groupTag, mediaTypes, metaDefinition, type PathOperations } from './operations.ts';

export interface PlainPath {
  /** With a trailing slash, as upstream writes it: `/apis/apps/` */
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  /** The definition of the response; `text` if it has none. */
  readonly answer: string;
  readonly produces: readonly string[];
  /** In v2; omitted if empty. */
  readonly consumes: readonly string[];
}

const json = ['application/json'];

export const corePath: PlainPath = {
  path: '/api/',
  id: 'getCoreAPIVersions',
  tag: 'core',
  description: 'get available API versions',
  answer: metaDefinition('APIVersions'),
  produces: mediaTypes,
  consumes: mediaTypes,
};

export const groupsPath: PlainPath = {
  path: '/apis/',
  id: 'getAPIVersions',
  tag: 'apis',
  description: 'get available API versions',
  answer: metaDefinition('APIGroupList'),
  produces: mediaTypes,
  consumes: mediaTypes,
};

/** For a named group. */
export const groupPath = (group: string): PlainPath => ({
  path: `/apis/${group}/`,
  id: `get${groupId(group)}APIGroup`,
  tag: groupTag(group),
  description: 'get information of a group',
  answer: metaDefinition('APIGroup'),
  produces: mediaTypes,
  consumes: mediaTypes,
});

/** @param answer the definition of the version's struct */
export const versionPath = (answer: string): PlainPath => ({
  path: '/version/',
  id: 'getCodeVersion',
  tag: 'version',
  description: 'get the version information for this server',
  answer,
  produces: json,
  consumes: json,
});

export const issuerPaths: readonly PlainPath[] = [
  {
    path: '/.well-known/openid-configuration/',
    id: 'getServiceAccountIssuerOpenIDConfiguration',
    tag: 'WellKnown',
    description: "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
    answer: 'text',
    produces: json,
    consumes: [],
  },
  {
    path: '/openid/v1/jwks/',
    id: 'getServiceAccountIssuerOpenIDKeyset',
    tag: 'openid',
    description:
      'get service account issuer OpenID JSON Web Key Set (contains public token verification keys)',
    answer: 'text',
    produces: ['application/jwk-set+json'],
    consumes: [],
  },
];

export const plainOperationsOf = (paths: readonly PlainPath[]): PathOperations =>
  new Map(
    paths.map(({ path, id, tag, description, answer, produces, consumes }) => [
      path,
      [
        {
          method: 'get',
          id,
          tag,
          description,
          parameters: [],
          responses: [{ status: 200, definition: answer }],
          produces,
          consumes,
        },
      ],
    ]),
  );
