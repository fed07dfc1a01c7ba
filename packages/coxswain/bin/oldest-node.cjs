'use strict';

/** What is published runs on it, and on all that are newer. */
const oldestNode = '20.19.0';

/** Why what is published can't run on this Node; undefined when it can. */
function whyTooOld(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  const [majorMin, minorMin] = oldestNode.split('.').map(Number);
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return undefined;
  return `coxswain needs Node ${majorMin}.${minorMin} or newer, and this is ${version}.`;
}

module.exports = { oldestNode, whyTooOld };
