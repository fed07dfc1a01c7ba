/** `1 step`, `1,234 steps` */
export const counted = (count: number, noun: string): string =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
