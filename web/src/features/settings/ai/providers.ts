import * as t from '#locale/ai-settings'

const TITLES: Readonly<Record<string, string>> = t.providers

export const titleOf = (provider: string): string => TITLES[provider] ?? provider
