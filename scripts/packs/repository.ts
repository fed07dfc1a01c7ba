/** Where the sources are: npm compares it with the statement of provenance that the release workflow signs. */

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;

/** Nothing, except in a workflow. */
export const repository =
  server === undefined || name === undefined
    ? {}
    : { repository: { type: 'git', url: `git+${server}/${name}.git` } };
