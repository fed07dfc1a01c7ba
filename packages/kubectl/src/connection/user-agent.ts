/** The version of upstream's kubectl that this one corresponds to. */
export const clientVersion = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3',
} as const;

export const userAgent = `kubectl/${clientVersion.gitVersion} (${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}) coxswain`;
