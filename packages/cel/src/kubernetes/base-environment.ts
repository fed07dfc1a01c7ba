/** The base environment of all expressions in Kubernetes. */

import { Environment } from '../environment.ts';
import { authorizerLibrary } from '../library/authorizer.ts';
import { cidrLibrary } from '../library/cidr.ts';
import { formatLibrary } from '../library/format.ts';
import { ipLibrary } from '../library/ip.ts';
import { kubernetesListsLibrary } from '../library/kubernetes-lists.ts';
import { listsLibrary } from '../library/lists.ts';
import { optionalLibrary } from '../library/optional.ts';
import { quantityLibrary } from '../library/quantity.ts';
import { regexLibrary } from '../library/regex.ts';
import { semverLibrary } from '../library/semver.ts';
import { setsLibrary } from '../library/sets.ts';
import { standardLibrary } from '../library/standard.ts';
import { stringsLibrary } from '../library/strings.ts';
import { twoVariableComprehensions } from '../library/two-variable-comprehensions.ts';
import { urlLibrary } from '../library/url.ts';

export const baseEnvironment = new Environment({
  libraries: [
    standardLibrary,
    urlLibrary,
    regexLibrary,
    kubernetesListsLibrary,
    authorizerLibrary,
    optionalLibrary,
    quantityLibrary,
    stringsLibrary,
    setsLibrary,
    ipLibrary,
    cidrLibrary,
    formatLibrary,
    twoVariableComprehensions,
    semverLibrary,
    listsLibrary,
  ],
});
