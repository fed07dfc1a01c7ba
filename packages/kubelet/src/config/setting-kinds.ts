/** How configuration files are read is the same for all components. */
export * from '@coxswain/apimachinery/configuration/setting-kinds.ts';
