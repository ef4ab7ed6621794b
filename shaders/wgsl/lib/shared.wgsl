// SHARED_VALUES values in workgroup memory. Each kernel documents its use of them.
//
// With filters, each field of a value has a separate array. An array of structs would take a third more memory, because the
// size of a struct is a multiple of 16 bytes, and on an H100 fewer workgroups of resolve would run concurrently.

import package::constants::SHARED_VALUES;
import package::value::{Filtered, Value};

@if(!filters) var<workgroup> shared_values: array<Value, SHARED_VALUES>;
@if(filters) var<workgroup> outsides: array<vec4<f32>, SHARED_VALUES>;
@if(filters) var<workgroup> insides: array<vec4<f32>, SHARED_VALUES>;
@if(filters) var<workgroup> filter_words: array<u32, SHARED_VALUES>;

// `place` is less than SHARED_VALUES, here and in store().
fn load(place: u32) -> Value {
    @if(filters) return Filtered(outsides[place], insides[place], filter_words[place]);
    @else return shared_values[place];
}

fn store(place: u32, value: Value) {
    @if(filters) {
        outsides[place] = value.outside;
        insides[place] = value.inside;
        filter_words[place] = value.word;
    }
    @else shared_values[place] = value;
}
