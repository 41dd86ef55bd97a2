//! `view!` and `#[component]` of the crate `ui`, which documents them.

mod component;
mod markup;
mod parse;

use proc_macro::TokenStream;

/// Markup with holes for values: see the crate `ui`.
#[proc_macro]
pub fn view(tokens: TokenStream) -> TokenStream {
    let nodes = syn::parse_macro_input!(tokens as parse::Nodes);
    markup::view(&nodes.0).into()
}

/// A function that can be used like an element in `view!`: see the crate `ui`.
#[proc_macro_attribute]
pub fn component(_: TokenStream, tokens: TokenStream) -> TokenStream {
    let function = syn::parse_macro_input!(tokens as syn::ItemFn);
    component::expand(function).unwrap_or_else(syn::Error::into_compile_error).into()
}
