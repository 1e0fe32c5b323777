// The server's sentences in English, by their keys in the message table. The server writes them here (ServerEnglish.swift).

/** @type {Record<string, string>} */
export const serverEnglish = {};
