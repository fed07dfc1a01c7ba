/** Where the sources are: npm compares it with the statement of provenance that the release workflow signs. */

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;

/** Undefined outside a workflow. */
export const repositoryUrl = server === undefined || name === undefined ? undefined : `${server}/${name}`;

export const repository =
  repositoryUrl === undefined ? {} : { repository: { type: 'git', url: `git+${repositoryUrl}.git` } };
