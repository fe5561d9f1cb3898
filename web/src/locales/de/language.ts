/** The language of this build: every other file of this folder is written in it. */
export const language: string = 'de'
/** Short units of durations. */
export const units = { hours: 'Std.', minutes: 'Min.' }
