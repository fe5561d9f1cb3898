import { useLocation, useSearch } from 'wouter'

const HERE = '/assistant'

/** Which conversation is open; the address says it, so that it can be reloaded and gone back to. */
export const useConversationPlace = () => {
  const [, navigate] = useLocation()
  const id = new URLSearchParams(useSearch()).get('conversation')
  return {
    id,
    go(next: string | null, options: { replace?: boolean } = {}): void {
      navigate(next === null ? HERE : `${HERE}?${new URLSearchParams({ conversation: next })}`, options)
    },
  }
}
