/** Whether the page is as narrow as that of a phone: the width below which styles stack its columns. */

import { signal } from '@preact/signals';

const query = matchMedia('(max-width: 760px)');

export const isNarrow = signal(query.matches);
query.addEventListener('change', () => (isNarrow.value = query.matches));
