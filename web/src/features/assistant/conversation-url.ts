import { useLocation, useSearch } from 'wouter'

const BASE_PATH = '/assistant'

/** The open conversation, stored in the URL, so that reload and Back work. */
export const useConversationUrl = () => {
  const [, navigate] = useLocation()
  const id = new URLSearchParams(useSearch()).get('conversation')
  return {
    id,
    go(next: string | null, options: { replace?: boolean } = {}): void {
      navigate(
        next === null ? BASE_PATH : `${BASE_PATH}?${new URLSearchParams({ conversation: next })}`,
        options,
      )
    },
  }
}
