export const comments = 'Comments'
export const writeComment = 'Write a comment'
export const addComment = 'Comment'
export const commentActions = (author: string) => `Actions for the comment by ${author}`
export const editComment = 'Edit comment'
export const edited = 'edited'
export const commentDeleted = 'Comment deleted'
export const commentRestored = 'Comment restored'
