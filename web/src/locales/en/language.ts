/** The language of this build: every other file of this folder is written in it. */
export const language: string = 'en'
/** Short units of durations. */
export const units = { hours: 'h', minutes: 'min' }
