export const PROVIDER_TITLES: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  'openai-compatible': 'A server of your own',
}

export const titleOf = (provider: string): string => PROVIDER_TITLES[provider] ?? provider
