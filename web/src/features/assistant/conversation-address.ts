const BASE_PATH = '/assistant'

/** The address of the page of the assistant with this conversation. */
export const addressOfConversation = (id: string | null): string =>
  id === null ? BASE_PATH : `${BASE_PATH}?${new URLSearchParams({ conversation: id })}`
